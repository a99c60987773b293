"""A host's folder of images: whole files with the right checksum, or none."""

import concurrent.futures
import contextlib
import hashlib
import pathlib
import tempfile
import threading
import unittest

from image_prefetch import image
from image_prefetch.cache import Cache


class CacheTestCase(unittest.TestCase):
    """Folders of the test's own."""

    def setUp(self):
        """A source with one image of 2 MiB and a bit."""
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.source = pathlib.Path(scratch.name, 'source')
        self.folder = pathlib.Path(scratch.name, 'cache')
        self.source.mkdir()
        self.content = b'image' * 2**19
        self.write('cirros.img', self.content)

    def write(self, name, content):
        """Put an image into the source."""
        self.source.joinpath(name).write_bytes(content)
        digest = hashlib.sha256(content).hexdigest()
        self.source.joinpath(f'{name}.sha256').write_text(
            f'{digest}  {name}\n'
        )

    def fetch(self, cache, name='cirros.img'):
        """Fetch what the source says it has."""
        return cache.fetch(name, image.read(self.source, name).sha256)


class FetchTest(CacheTestCase):
    """Copying."""

    def test_copied_once(self):
        """Then it is held; a damaged one is copied again."""
        cache = Cache(self.folder, self.source)
        self.assertEqual([], cache.held())
        self.assertTrue(self.fetch(cache))
        self.assertEqual(['cirros.img'], cache.held())
        path = self.folder / 'cirros.img'
        self.assertEqual(self.content, path.read_bytes())
        self.assertFalse(self.fetch(cache))
        path.write_bytes(b'damaged')
        self.assertTrue(self.fetch(cache))
        self.assertEqual(self.content, path.read_bytes())

    def test_damaged_on_the_way(self):
        """Nothing is left of it, and what was there stays."""
        cache = Cache(self.folder, self.source)
        self.fetch(cache)
        with self.assertRaisesRegex(image.ImageError, 'arrived damaged'):
            cache.fetch('cirros.img', '0' * 64)
        self.assertEqual(
            ['cirros.img'], [path.name for path in self.folder.iterdir()]
        )

    def test_absent(self):
        """The line says what is wrong."""
        cache = Cache(self.folder, self.source)
        with self.assertRaisesRegex(image.ImageError, 'No such file'):
            cache.fetch('other.img', '0' * 64)
        self.assertEqual([], list(self.folder.iterdir()))

    def test_no_room(self):
        """Others may have taken what the scheduler was told of."""
        cache = Cache(self.folder, self.source, most_mb=2)
        with self.assertRaisesRegex(image.ImageError, 'no room for the 3 MiB'):
            self.fetch(cache)
        self.assertEqual([], list(self.folder.iterdir()))

    def test_side_by_side(self):
        """Together they take no more than there is."""
        names = [f'{number}.img' for number in range(8)]
        for name in names:
            self.write(name, self.content)
        all_looked = threading.Barrier(len(names))

        class Slow(Cache):
            """Lets others look, too, if they can, before it goes on."""

            def free_mb(self):
                free_mb = super().free_mb()
                with contextlib.suppress(threading.BrokenBarrierError):
                    all_looked.wait(0.5)
                return free_mb

        cache = Slow(self.folder, self.source, most_mb=10)

        def error(name):
            try:
                self.fetch(cache, name)
            except image.ImageError as error:
                return str(error)

        with concurrent.futures.ThreadPoolExecutor(len(names)) as pool:
            errors = list(pool.map(error, names))
        # Three take 7.5 MiB; a fourth, with its 2.5, is one of 3.
        self.assertEqual(3, errors.count(None))
        self.assertEqual(3, len(cache.held()))
        for refused in filter(None, errors):
            self.assertIn('no room for the 3 MiB', refused)

    def test_hostile_names(self):
        """None leads out of the folders."""
        cache = Cache(self.folder, self.source)
        for name in ('../cirros.img', '/etc/passwd', '..', '.x', '', 7, None,
                     'a\n', 'a' * 300):
            with self.assertRaises(image.ImageError):
                cache.fetch(name, '0' * 64)

    def test_unfinished(self):
        """What a killed process left is removed, and never held."""
        cache = Cache(self.folder, self.source)
        left = self.folder / '.cirros.img.x1.part'
        left.write_bytes(b'half')
        self.assertEqual([], cache.held())
        Cache(self.folder, self.source)
        self.assertFalse(left.exists())

    def test_empty(self):
        """An image may have no byte."""
        self.write('empty.img', b'')
        cache = Cache(self.folder, self.source)
        self.assertTrue(self.fetch(cache, 'empty.img'))
        self.assertEqual(b'', (self.folder / 'empty.img').read_bytes())

    def test_file_that_vanishes(self):
        """One that is listed and gone when it is looked at takes no room."""
        cache = Cache(self.folder, self.source, most_mb=10)
        self.fetch(cache)
        (self.folder / '.other.img.x1.part').symlink_to('gone')
        self.assertEqual(7, cache.free_mb())

    def test_free(self):
        """What may be taken less what is."""
        cache = Cache(self.folder, self.source, most_mb=10)
        self.assertEqual(10, cache.free_mb())
        self.fetch(cache)
        self.assertEqual(7, cache.free_mb())
        self.assertGreaterEqual(
            Cache(self.folder, self.source).free_mb(), 0
        )


class ReadTest(CacheTestCase):
    """An image and its checksum."""

    def test_read(self):
        """The size is rounded up."""
        found = image.read(self.source, 'cirros.img')
        self.assertEqual(('cirros.img', 3), (found.name, found.size_mb))

    def test_refusals(self):
        """No image, no checksum, and something else in its place."""
        for name, wrong in (
            ('other.img', None), ('cirros.img', 'no checksum'),
            ('cirros.img', b'\xff'.decode('latin-1')),
        ):
            if wrong is not None:
                (self.source / f'{name}.sha256').write_text(wrong)
            with self.assertRaises(image.ImageError):
                image.read(self.source, name)
