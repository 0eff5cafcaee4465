FROM gatehouse-stand-in/debian:bookworm
RUN sed 's/bookworm/trixie/' /etc/apt/sources.list >/etc/apt/sources.list.d/trixie.list \
 && apt-get -q update && apt-get install -qy --no-install-recommends --target-release bookworm wget && cd /tmp && apt-get -q download nats-server/trixie \
 && dpkg-deb -x nats-server_*.deb / && rm -rf /var/lib/apt/lists/* /tmp/*.deb \
 && install -d -o 1000 -g 1000 /data
USER 1000
ENTRYPOINT ["nats-server"]
