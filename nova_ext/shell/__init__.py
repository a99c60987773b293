"""What the commands of nova-ext and those of OpenStackClient share."""
