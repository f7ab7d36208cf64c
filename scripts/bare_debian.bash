# Sourced by what tries something on a bare Debian: makes one of the suite $suite by debootstrap, in a folder of its own
# that goes with the script. Gives $work, $root and the functions below. Without root, debootstrap or Debian's mirror it
# says which of them is missing, and ends the script well.

mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
fail() { say "$*"; exit 1; }
skip() { say "skipped: $*"; exit 0; }

((EUID == 0)) || skip "only root can make a root folder of Debian"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
unshare --mount --pid --fork true 2>/dev/null || skip "this container may not mount"
wget -q --timeout=20 --tries=1 --spider "$mirror/dists/$suite/InRelease" || skip "$mirror cannot be reached"
# Mounts and processes of the root folder end with this namespace.
if [[ -z ${HINESIGHT_CHECK_NAMESPACE-} ]]; then
  exec env HINESIGHT_CHECK_NAMESPACE=1 unshare --mount --pid --fork --kill-child "$PWD/scripts/${0##*/}" "$@"
fi

work=$(mktemp -d)
root=$work/root
trap 'umount -R "$root/proc" "$root/dev" 2>/dev/null; rm -rf --one-file-system "$work"' EXIT

inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
apt() { inside apt-get --yes --no-install-recommends -q "$@" >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; fail "apt-get $* failed"; }; }

make_root() {
  say "making a bare Debian ($suite)"
  debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; fail "debootstrap failed"; }
  echo "deb $mirror $suite-updates main" >>"$root/etc/apt/sources.list"
  local security=http://deb.debian.org/debian-security
  if wget -q --timeout=20 --tries=1 --spider "$security/dists/$suite-security/InRelease"; then
    echo "deb $security $suite-security main" >>"$root/etc/apt/sources.list"
  fi
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --make-rslave "$root/dev"
  cp /etc/resolv.conf "$root/etc/" 2>/dev/null || true
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod +x "$root/usr/sbin/policy-rc.d"
  apt update
}

# As somebody who is not root and has an empty home.
make_user() {
  mkdir -p "$root/home/user"
  chown 1000:1000 "$root/home/user"
  chmod 700 "$root/home/user"
}
as_user() {
  chroot --userspec=1000:1000 "$root" env -i -C /home/user PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME=/home/user \
    XDG_RUNTIME_DIR=/home/user LIBGL_ALWAYS_SOFTWARE=1 "$@"
}
