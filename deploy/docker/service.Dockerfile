# One image per service, from one file:
#   docker build --file deploy/docker/service.Dockerfile --build-arg SERVICE=pam --tag gatehouse/pam .
# The operator's commands:          … --target operate --build-arg SERVICE=operate --tag gatehouse/operate .
# The same with pg_dump and pg_restore: … --target backup --build-arg SERVICE=operate --build-arg POSTGRES_IMAGE=postgres:17
#   --tag gatehouse/backup . — of the version of your server, or a later one.
# The bill of materials by itself:  … --target sbom --build-arg SERVICE=pam --output sbom/pam .
# BASE_IMAGE is any image with Node 24, npm and a user `node`.
ARG BASE_IMAGE=node:24-bookworm-slim
ARG POSTGRES_IMAGE=postgres:17

# What decides about the packages, apart from the sources: a change of code does not install anything anew.
FROM ${BASE_IMAGE} AS manifests
WORKDIR /build
COPY . .
RUN find . -type f ! -name package.json ! -name package-lock.json -delete

# Alike for every service, so that building the second one takes seconds.
FROM ${BASE_IMAGE} AS build
WORKDIR /build
COPY --from=manifests /build ./
RUN --mount=type=cache,target=/root/.npm npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.base.json ./
COPY libs libs
COPY apps apps
COPY tools/bootstrap.mjs tools/supported-node.mjs tools/console.mjs tools/contract-types.mjs tools/
# The console, which goes into the image of the gateway; what is made from the contracts is made here.
RUN node tools/console.mjs
COPY tools/operate tools/operate
COPY tools/bundle tools/bundle
COPY deploy/docker/healthcheck.mjs deploy/docker/

# Everything below /out has one time (SOURCE_DATE_EPOCH, else 1970) and one of two modes, the directory /out/app too.
FROM build AS bundle
ARG SERVICE
ARG BASE_IMAGE
ARG SOURCE_DATE_EPOCH=0
RUN node tools/bundle/bundle.mjs /out/app ${SERVICE:?}

FROM scratch AS sbom
ARG SERVICE
COPY --from=bundle /out/app/dist/${SERVICE}/sbom.cdx.json /

FROM ${BASE_IMAGE} AS program
ARG SERVICE
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="gatehouse-${SERVICE}" \
      org.opencontainers.image.description="Gatehouse, service ${SERVICE}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="UNLICENSED"
# The program layer, whose digest two builds share.
COPY --from=bundle /out/ /
WORKDIR /app/dist/${SERVICE}
# By number, so that Kubernetes can see that it is not root.
USER 1000:1000
ENV NODE_ENV=production SERVICE_VERSION=${VERSION}

FROM program AS operate
ENTRYPOINT ["node", "main.js"]

FROM ${BASE_IMAGE} AS node

# PostgreSQL's own image has its programs, and their libraries; node needs nothing that this does not have.
FROM ${POSTGRES_IMAGE} AS backup
LABEL org.opencontainers.image.title="gatehouse-backup" org.opencontainers.image.licenses="UNLICENSED"
COPY --from=node /usr/local/bin/node /usr/local/bin/
COPY --from=bundle /out/ /
WORKDIR /app/dist/operate
# A new volume takes this owner.
USER root
RUN install -d -m 0700 -o 1000 -g 1000 /backups
USER 1000:1000
ENV NODE_ENV=production
ENTRYPOINT ["node", "main.js"]

FROM program AS service
ENV HOST=0.0.0.0 PORT=8080 ADMIN_PORT=9090
EXPOSE 8080 9090
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s CMD ["node", "/app/healthcheck.mjs"]
# Room (MiB) for what a request makes and drops, so that it is seldom copied by the collector; and no guesses from the
# first seconds at which objects live long: each wrong one keeps all that the object refers to, until a full collection.
# The heap ends at this part of the container's memory, before the container does; the rest is for sockets and buffers.
ENTRYPOINT ["node", "--max-semi-space-size=32", "--max-old-space-size-percentage=60", "--no-allocation-site-pretenuring"]
CMD ["main.js"]
