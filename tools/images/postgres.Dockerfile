FROM gatehouse-stand-in/debian:bookworm
RUN groupadd --gid 999 postgres && useradd --uid 999 --gid postgres --home-dir /var/lib/postgresql postgres \
 && apt-get -q update && apt-get install -qy --no-install-recommends postgresql-15 && rm -rf /var/lib/apt/lists/* /var/lib/postgresql/* \
 && install -d -o postgres -g postgres -m 0700 /var/lib/postgresql/data && install -d -o postgres -g postgres -m 3777 /var/run/postgresql
ENV PATH=/usr/lib/postgresql/15/bin:$PATH PGDATA=/var/lib/postgresql/data
COPY postgres-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
USER postgres
STOPSIGNAL SIGINT
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
