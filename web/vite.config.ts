import { defineConfig } from 'vite';

export default defineConfig({
  build: { target: 'es2022', emptyOutDir: true },
  server: { proxy: { '/v1': 'http://127.0.0.1:8080', '/openapi.json': 'http://127.0.0.1:8080' } },
  test: { include: ['src/**/*.test.ts'] },
} as Parameters<typeof defineConfig>[0]);
