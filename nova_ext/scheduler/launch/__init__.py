"""schedule_run_instance: from chosen hosts to servers, by Nova's own API."""
