#!/usr/bin/env bash
# Installs what the tests need beyond Python packages, where that is possible: as root on Debian.
# A Chromium for the browser tests ($DOCSTEAD_CHROMIUM names one that is elsewhere), and the sources
# of locales, so that the test databases sort text by a language; nginx and systemd read the files of
# deploy/. Elsewhere it says what is missing.
set -euo pipefail
missing=()
if [ -z "${DOCSTEAD_CHROMIUM:-}" ] && ! command -v chromium > /dev/null &&
  ! command -v chromium-browser > /dev/null && ! command -v google-chrome > /dev/null; then
  missing+=(chromium fonts-dejavu-core)
fi
if [ ! -e /usr/share/i18n/locales/en_US ] && ! locale -a 2> /dev/null | grep -qi '^en_US.utf-\?8$'; then
  missing+=(locales)
fi
command -v nginx > /dev/null || [ -x /usr/sbin/nginx ] || missing+=(nginx-light)
command -v systemd-analyze > /dev/null || missing+=(systemd)
[ ${#missing[@]} -gt 0 ] || exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
  echo "Installing ${missing[*]} for the tests"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq
  apt-get install -qq -y --no-install-recommends "${missing[@]}" > /dev/null
else
  echo "Some tests will fail without these (names of Debian packages): ${missing[*]}" >&2
fi
