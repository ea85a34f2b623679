// Starts the built binary for a test, in a folder and on a port of its own.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Needs what `make test` sets: the binary and the browser. */
export function setting(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this by "make test" or "scripts/test.sh browser"`);
  return value;
}

export class Server {
  #child;
  #log = [];
  #tell;
  /** The code that makes its user the operator; printed once, after the first start. */
  operatorCode = new Promise((resolve) => { this.#tell = resolve; });

  static async start() {
    const server = new Server();
    server.data = await mkdtemp(join(tmpdir(), 'tabuleiro-browser-'));
    await server.up('127.0.0.1:0');
    return server;
  }

  /** Starts the process and waits for its ready line. */
  async up(address) {
    this.#child = spawn(setting('TABULEIRO_TEST_BINARY'), ['up', '--http', address, '--data', this.data], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stderr.on('data', (text) => this.#log.push(String(text)));
    const lines = createInterface({ input: this.#child.stdout });
    this.address = await new Promise((resolve, reject) => {
      this.#child.once('exit', (code) => reject(new Error(`the server ended with ${code}\n${this.#log.join('')}`)));
      lines.on('line', (line) => {
        const ready = /^ready http=(\S+) data=/.exec(line);
        if (ready) resolve(ready[1]);
        const code = /operator code: (\S+)/.exec(line);
        if (code) this.#tell(code[1]);
      });
    });
    this.url = `http://${this.address}`;
  }

  async down(signal = 'SIGTERM') {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill(signal);
    await ended;
  }

  /** Ends the process and starts it again at the same address. */
  async restart(signal) {
    await this.down(signal);
    await this.up(this.address);
  }

  async end() {
    await this.down();
    await rm(this.data, { recursive: true, force: true });
  }
}
