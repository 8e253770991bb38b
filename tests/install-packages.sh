#!/usr/bin/env bash
# Installs what the tests need beyond Python packages, where that is possible: as root on Debian.
# A Chromium for the browser tests ($DOCSTEAD_CHROMIUM names one that is elsewhere), best the one
# without windows; and the sources of locales, so that the test databases sort text by a language;
# nginx and systemd read the files of deploy/. Elsewhere it says what is missing.
set -euo pipefail
has() { command -v "$1" > /dev/null; }
can_install() { [ "$(id -u)" = 0 ] && has apt-get; }
install() { apt-get install -qq -y --no-install-recommends "$@" > /dev/null; }
missing=()
browser=()
if [ -z "${DOCSTEAD_CHROMIUM:-}" ] && ! has chromium-headless-shell; then
  has chromium || has chromium-browser || has google-chrome || browser=(chromium fonts-dejavu-core)
  # The whole browser does as well, but wants more of the processor.
  shell=(chromium-headless-shell fonts-dejavu-core)
else
  shell=()
fi
if [ ! -e /usr/share/i18n/locales/en_US ] && ! locale -a 2> /dev/null | grep -qi '^en_US.utf-\?8$'; then
  missing+=(locales)
fi
has nginx || [ -x /usr/sbin/nginx ] || missing+=(nginx-light)
has systemd-analyze || missing+=(systemd)
packages=("${missing[@]}" "${shell[@]}")
[ ${#packages[@]} -gt 0 ] || exit 0
if can_install; then
  echo "Installing ${packages[*]} for the tests"
  export DEBIAN_FRONTEND=noninteractive
  # What could be better is no reason to fail.
  apt-get update -qq || { [ ${#missing[@]} -eq 0 ] && [ ${#browser[@]} -eq 0 ]; }
  # Not every Debian has it, nor in the version of a browser that is there.
  if [ ${#shell[@]} -gt 0 ] && ! install --no-remove "${shell[@]}" 2> /dev/null; then
    missing+=("${browser[@]}")
  fi
  [ ${#missing[@]} = 0 ] || install "${missing[@]}"
elif [ ${#missing[@]} -gt 0 ] || [ ${#browser[@]} -gt 0 ]; then
  missing+=("${browser[@]}")
  echo "Some tests will fail without these (names of Debian packages): ${missing[*]}" >&2
fi
