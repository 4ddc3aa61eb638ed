# syntax=docker/dockerfile:1
# One image for every platform of the official base: nothing here is compiled.
ARG NODE_VERSION=26.10.0
# Of the index of all platforms (docs/operations.md, Images).
ARG NODE_DIGEST=sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1

FROM node:${NODE_VERSION}-slim@${NODE_DIGEST} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Drivers are optional packages: they are part of it. The pinned runtime is not, the
# base brings it.
RUN ["npm", "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"]

FROM node:${NODE_VERSION}-slim@${NODE_DIGEST}
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
# What is copied is what .dockerignore lets through.
COPY . ./
# One script and one style sheet of each page, compressed; without it the pages are their modules.
RUN ["node", "scripts/bundle.ts"]
# /imports: bases that replicas share (deploy/compose.imports.yaml); a new volume takes its owner from here.
RUN ["install", "-d", "-o", "1000", "-g", "1000", "/data", "/imports"]

# Commit that it is built from, for svc_build_info: docker build --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT=""

# Paths inside the image (docs/operations.md, "image"). Its file system may be read-only: only the data
# folder is written to, which also keeps compiled code, so that the next start is faster.
ENV NODE_ENV=production \
    VICINITY_COMMIT=$COMMIT \
    HOST=0.0.0.0 \
    PORT=8080 \
    ADMIN_HOST=0.0.0.0 \
    ADMIN_PORT=9090 \
    VICINITY_DATA_DIR=/data \
    NODE_COMPILE_CACHE=/data/compiled

VOLUME ["/data"]
EXPOSE 8080 9090
USER 1000:1000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ADMIN_PORT}/livez`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/app/bin/vicinity"]
CMD ["serve"]
