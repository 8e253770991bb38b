"""Which addresses are public, and what the operator allows."""

import pytest

from fetching.addresses import Allowance, host_name, is_public
from fetching.errors import FetchError

PUBLIC = [
    "8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.1", "100.63.255.255", "100.128.0.1",
    "192.0.1.1", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8",
    "64:ff9b::808:808",
]  # fmt: skip
REFUSED = [
    "0.0.0.0", "10.0.0.1", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.254",
    "168.63.129.16", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.192",
    "192.0.2.1", "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.1",
    "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::",
    "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0",
    "2606:4700:4700::1111%eth0", "fec0::1", "ff02::1", "", "localhost", "8.8.8.8/32", "0x7f000001",
]  # fmt: skip


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", REFUSED)
def test_addresses_that_are_refused(address: str) -> None:
    assert not is_public(address)


def test_every_address_of_a_host_counts() -> None:
    nothing = Allowance()
    assert nothing.permits("a.example", 80, ["8.8.8.8", "1.1.1.1"])
    assert not nothing.permits("a.example", 80, ["8.8.8.8", "10.0.0.1"])
    assert not nothing.permits("a.example", 80, [])


def test_the_operator_allows_exact_hosts_with_ports() -> None:
    allowed = Allowance.read("Wiki.internal:8080, [::1]:80,10.0.0.5:443,")
    assert allowed.permits("wiki.internal", 8080, ["10.0.0.9"])
    assert allowed.permits("::1", 80, ["::1"])
    assert allowed.permits("10.0.0.5", 443, ["10.0.0.5"])
    assert not allowed.permits("wiki.internal", 80, ["10.0.0.9"])
    assert not allowed.permits("x.wiki.internal", 8080, ["10.0.0.9"])
    assert not allowed.permits("10.0.0.9", 8080, ["10.0.0.9"])


@pytest.mark.parametrize(
    "text", ["wiki", "wiki:", ":80", "wiki:0", "wiki:65536", "wiki:x", "a b:80", "wiki:-1"]
)
def test_an_allowance_that_is_none_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="is not host:port"):
        Allowance.read(f"a.example:80,{text}")


def test_hosts_have_one_form() -> None:
    assert host_name("Docs.Example.") == "docs.example"
    assert host_name("bücher.example") == "xn--bcher-kva.example"
    assert host_name("[::FFFF:7f00:1]") == "::ffff:7f00:1"


@pytest.mark.parametrize("host", ["", ".", "a..b", "-a", "a-", "a b", "a/b", "x" * 64, "::1%lo"])
def test_what_is_no_host(host: str) -> None:
    if host == "::1%lo":
        # A zone names an interface of this machine; such an address is never public.
        assert not is_public(host)
        return
    with pytest.raises(FetchError, match="is not a host"):
        host_name(host)
