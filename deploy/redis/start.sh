#!/bin/sh
# Starts Redis with a user of its own for each service that has a password here (REDIS_PASSWORD_<SERVICE>). A user may
# count uses within limits, and nothing else. The user `default` is the operator's. Arguments are further options.
set -eu
for name in $(env | sed -n 's/^REDIS_PASSWORD_\([A-Z_]*\)=.*/\1/p'); do
  user=$(echo "$name" | tr 'A-Z_' 'a-z-')
  set -- "$@" --user "$user" on ">$(printenv "REDIS_PASSWORD_$name")" '~rl:*' \
    +eval +evalsha +incr +pexpire +pttl +ping +info
done
exec redis-server /etc/gatehouse/redis.conf --requirepass "$REDIS_PASSWORD" "$@"
