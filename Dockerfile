# The service alone: no devDependencies, so no Node of its own and no embedded Postgres. Set DATABASE_URL.
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
# For npm run keys, tail, import and export, inside of a container.
COPY tools/node/run tools/node/run
COPY migrations migrations
COPY src src
COPY client/src client/src
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--no-memory-reducer", "--heap-growing-percent=100", "--max-semi-space-size=16", "src/main.ts"]
