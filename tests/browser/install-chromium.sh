#!/usr/bin/env bash
# Makes sure that the browser tests find a Chromium: $DOCSTEAD_CHROMIUM, one on the PATH, or, as
# root on Debian, one installed now. Otherwise it says what to do; the tests then fail.
set -euo pipefail
if [ -n "${DOCSTEAD_CHROMIUM:-}" ] || command -v chromium > /dev/null ||
  command -v chromium-browser > /dev/null || command -v google-chrome > /dev/null; then
  exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  echo "Installing Chromium for the browser tests"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core > /dev/null
else
  echo "The browser tests need Chromium: install it, or set DOCSTEAD_CHROMIUM to its path." >&2
fi
