"""What pyproject.toml cannot say: a wheel brings the JavaScript side along (`bridge/bundled.py`)."""

import hashlib
import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
TREES = ("engine", "skills_js", "server_config")
FILES = ("package.json", "package-lock.json", ".npmrc", "requirements-local.lock", "docs/primitives.md")


class BuildWithJavaScript(build_py):
    """Python's packages, and in `bridge/bundled_files` what Node needs beside them."""

    def run(self) -> None:
        """Build; an editable install works on the checkout as it is."""
        super().run()
        if self.editable_mode:
            return
        bundle = Path(self.build_lib) / "bridge" / "bundled_files"
        shutil.rmtree(bundle, ignore_errors=True)
        for tree in TREES:
            shutil.copytree(HERE / tree, bundle / tree, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
        for name in FILES:
            (bundle / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(HERE / name, bundle / name)
        (bundle / "DIGEST").write_text(self._digest(bundle), encoding="utf-8")

    def _digest(self, bundle: Path) -> str:
        """The SHA-256 of all that is copied to where Node works."""
        own = [path for path in (Path(self.build_lib) / "bridge").rglob("*.js") if bundle not in path.parents]
        whole = hashlib.sha256()
        for path in sorted([*own, *(path for path in bundle.rglob("*") if path.is_file())]):
            name = path.relative_to(self.build_lib).as_posix()
            whole.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
        return whole.hexdigest()


setup(cmdclass={"build_py": BuildWithJavaScript})
