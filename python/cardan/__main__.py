"""python -m cardan is the program cardan"""
import sys

from . import _cardan

sys.exit(_cardan.command(["cardan", *sys.argv[1:]]))
