import type {
  Attending,
  CommandInit,
  CommandOutcome,
  FromWorker,
  OpenOptions,
  ToWorker,
  Viewpoint,
} from './messages';

/** The page's end of the worker: sends commands and gives their outcome, and passes on every message. */
export class Client {
  private readonly worker_ = new Worker(new URL('./worker.ts', import.meta.url), {
    type: 'module',
  });
  private readonly waiting_ = new Map<number, (outcome: CommandOutcome) => void>();
  private requests_ = 0;

  constructor(receive: (message: FromWorker) => void) {
    this.worker_.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.kind === 'outcome') {
        this.waiting_.get(data.request)?.(data.outcome);
        this.waiting_.delete(data.request);
      }
      receive(data);
    };
  }

  open(options: OpenOptions): void {
    this.post({ kind: 'open', options });
  }

  command(command: CommandInit): Promise<CommandOutcome> {
    const request = ++this.requests_;
    return new Promise((resolve) => {
      this.waiting_.set(request, resolve);
      this.post({ kind: 'command', request, command });
    });
  }

  /** Asks for another name, by which others see this visitor. */
  introduce(name: string): Promise<CommandOutcome> {
    const request = ++this.requests_;
    return new Promise((resolve) => {
      this.waiting_.set(request, resolve);
      this.post({ kind: 'introduce', request, name });
    });
  }

  attend(attending: Attending): void {
    this.post({ kind: 'attend', attending });
  }

  look(viewpoint: Viewpoint): void {
    this.post({ kind: 'viewpoint', viewpoint });
  }

  watch(characters: readonly number[]): void {
    this.post({ kind: 'watch', characters });
  }

  set_rate(rate_hz: number): void {
    this.post({ kind: 'rate', rate_hz });
  }

  retry(): void {
    this.post({ kind: 'retry' });
  }

  dispose(): void {
    this.worker_.terminate();
  }

  private post(message: ToWorker): void {
    this.worker_.postMessage(message);
  }
}
