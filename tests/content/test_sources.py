from __future__ import annotations

import hashlib
import os
import shutil
import zlib
from datetime import UTC, datetime
from pathlib import Path

import pytest
from conftest_types import MakeRepository
