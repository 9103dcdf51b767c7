"""python -m cardan is the program cardan"""
import sys

from . import _cardan


def main() -> int:
    """the command line; returns its exit code"""
    return int(_cardan.command(["cardan", *sys.argv[1:]]))


if __name__ == "__main__":
    sys.exit(main())
