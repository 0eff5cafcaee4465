FROM gatehouse-stand-in/debian:bookworm
RUN groupadd --gid 999 redis && useradd --uid 999 --gid redis --home-dir /data redis \
 && apt-get -q update && apt-get install -qy --no-install-recommends redis-server redis-tools && rm -rf /var/lib/apt/lists/* \
 && install -d -o redis -g redis /data
WORKDIR /data
USER redis
CMD ["redis-server"]
