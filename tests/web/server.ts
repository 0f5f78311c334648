// A real server process for one test.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

function binary(): string {
  const wanted = process.env['PROMENADE_BINARY'] ?? path.join(root, 'build/server/app/promenade');
  if (!existsSync(wanted)) {
    throw new Error(
      `PROMENADE_BINARY: no program at ${wanted}; build the server, or name its program.`,
    );
  }
  return wanted;
}

/** A port that was free a moment ago. */
export function free_port(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address
          ? resolve(address.port)
          : reject(new Error('no port')),
      );
    });
  });
}

export class Server {
  readonly url: string;
  private process_: ChildProcess | undefined;
  private log_ = '';
  private readonly port_: number;
  private readonly options_: readonly string[];

  constructor(port: number, options: readonly string[]) {
    this.port_ = port;
    this.options_ = options;
    this.url = `http://127.0.0.1:${port}`;
  }

  /** @param ready what answers once it can be used: /healthz does before the rooms are made */
  async start(ready = '/readyz'): Promise<void> {
    const data = process.env['PROMENADE_TEST_DATA'] ?? path.join(root, 'server/data');
    const child = spawn(
      binary(),
      [
        'serve',
        '--port',
        String(this.port_),
        ...(this.options_.includes('--data') ? [] : ['--data', data]),
        ...(this.options_.includes('--web-root')
          ? []
          : ['--web-root', path.join(root, 'web/dist')]),
        // Nothing of one test is there for another, or in anybody's home.
        ...(this.options_.includes('--store') ? [] : ['--store', ':memory:']),
        // The browser takes the time that rooms would have: nothing is refused for that.
        ...(this.options_.includes('--max-load') ? [] : ['--max-load', '0']),
        ...this.options_,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.process_ = child;
    const keep = (data_: Buffer) => (this.log_ += data_.toString());
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    const deadline = Date.now() + 30_000;
    while (Date.now() < deadline) {
      if (child.exitCode !== null)
        throw new Error(`the server ended with ${child.exitCode}:\n${this.log_}`);
      try {
        if ((await fetch(`${this.url}${ready}`)).ok) return;
      } catch {
        // not listening yet
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`the server was not ready within 30 s:\n${this.log_}`);
  }

  /** Sends the room a command, in protobuf's JSON. */
  async command(body: object): Promise<void> {
    const response = await fetch(`${this.url}/api/v1/rooms/main/commands`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  }

  async stop(): Promise<void> {
    const child = this.process_;
    this.process_ = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const stuck = setTimeout(() => child.kill('SIGKILL'), 8000);
    await ended;
    clearTimeout(stuck);
  }
}
