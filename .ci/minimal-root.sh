# A minimal Debian in a folder, for the gate: what debootstrap calls minbase, a Node 20 with the npm that came with it, and
# an ordinary user with a copy of ours. Sourced by .ci/run, as root. What a newcomer's machine lacks is missing here too.

# make_root ROOT COMMANDS: about a minute, most of it downloads. Into the folder COMMANDS go two programs for outside:
# `newcomer COMMAND…`, by which that user logs in and types the command in ~/docket, and `npm`, which is theirs.
make_root() {
  local root=$1 commands=$2 mirror release arch
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  # Where this machine has its packages from.
  mirror=$(cat /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null |
    awk '/^(URIs:|deb )/ { for (i = 2; i <= NF; i++) if ($i ~ /^https?:/) { print $i; exit } }')
  debootstrap --variant=minbase "$release" "$root" ${mirror:+"$mirror"} >"$root.log" 2>&1 || { tail -n 20 "$root.log"; return 1; }
  case $(uname -m) in aarch64) arch=arm64 ;; *) arch=x64 ;; esac
  npm install --silent --no-save --prefix "$root/opt" "node-linux-$arch@20" npm@10 || return
  ln -s "/opt/node_modules/node-linux-$arch/bin/node" "$root/usr/local/bin/node"
  ln -s /opt/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  chroot "$root" useradd --create-home --shell /bin/bash newcomer || return
  # How this machine reaches its registry; the packages that it has already need not be fetched again.
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
    mkdir -p "$root$(dirname "$NODE_EXTRA_CA_CERTS")" && cp -L "$NODE_EXTRA_CA_CERTS" "$root$NODE_EXTRA_CA_CERTS"
  fi
  mkdir "$root/home/newcomer/.npm"
  cp -r "$(npm config get cache)/_cacache" "$root/home/newcomer/.npm/"
  copy "$root/home/newcomer/docket"
  chroot "$root" chown -R newcomer: /home/newcomer

  mkdir "$commands"
  # `exec` throughout, so that a signal reaches the command itself.
  cat >"$commands/newcomer" <<END
#!/bin/sh
exec chroot --userspec=newcomer:newcomer "$root" env -i HOME=/home/newcomer PATH=/usr/local/bin:/usr/bin:/bin NO_COLOR=1 \\
  PORT="\$PORT" DOCKET_KEY="\$DOCKET_KEY" DOCKET_TENANT_KEY="\$DOCKET_TENANT_KEY" ${NODE_EXTRA_CA_CERTS:+"NODE_EXTRA_CA_CERTS=$NODE_EXTRA_CA_CERTS"} \\
  npm_config_registry=$(npm config get registry) npm_config_prefer_offline=true npm_config_audit=false \\
  sh -c 'cd ~/docket && exec "\$@"' newcomer "\$@"
END
  printf '#!/bin/sh\nexec "%s/newcomer" npm "$@"\n' "$commands" >"$commands/npm"
  chmod +x "$commands/newcomer" "$commands/npm"
  echo "✓ $(du -sh "$root/usr" | cut -f 1) of $release, $("$commands/newcomer" node --version), npm $("$commands/npm" --version)"
}

# machine ROOT COMMAND…: runs the command outside of the root, on a machine of its own: it ends with all that it has
# started. With `net=none` before it, that machine has nothing but loopback.
machine() {
  local root=$1 more=()
  shift
  [ "${net:-}" = none ] && more=(--net)
  unshare --mount --pid --fork --kill-child --mount-proc "${more[@]}" bash -c '
    [ -z "$1" ] || ip link set lo up
    mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && shift && exec "$@"
  ' "$root" "${more[*]}" "$@"
}
