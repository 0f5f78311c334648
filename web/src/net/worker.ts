// The worker: socket and decoding run here, so that a busy page does not delay them and they do not delay the page.
import { has_choice } from './arrival';
import type { FromWorker, OpenOptions, ToWorker, Viewpoint } from './messages';
import { Session } from './session';

interface WorkerScope {
  postMessage(message: FromWorker, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}

const scope = self as unknown as WorkerScope;
let session: Session | undefined;
let wanted: OpenOptions | undefined; // the newest
let viewpoint: Viewpoint | undefined; // the newest
let rate_hz: number | undefined; // asked for since, before there was a session

/** Without a session a command ends at once: otherwise its sender would wait for ever. */
function lose(request: number): void {
  const reason = 'There is no connection to the server. Try again when it is back.';
  scope.postMessage({ kind: 'outcome', request, outcome: { kind: 'lost', reason } }, []);
}

async function open(options: OpenOptions): Promise<void> {
  wanted = options;
  rate_hz = undefined;
  session?.close();
  session = undefined;
  const choice = options.choose === true && (await has_choice(options));
  if (wanted !== options) return;
  if (choice) scope.postMessage({ kind: 'choice' }, []);
  else
    session = new Session(
      { ...options, rate_hz: rate_hz ?? options.rate_hz },
      (message, transfer = []) => scope.postMessage(message, transfer),
    );
  if (viewpoint) session?.look(viewpoint);
}

scope.onmessage = ({ data }) => {
  switch (data.kind) {
    case 'open':
      void open(data.options);
      return;
    case 'command':
      if (session) session.command(data.request, data.command);
      else lose(data.request);
      return;
    case 'watch':
      session?.watch(data.characters);
      return;
    case 'rate':
      rate_hz = data.rate_hz;
      session?.set_rate(data.rate_hz);
      return;
    case 'introduce':
      if (session) session.introduce(data.request, data.name);
      else lose(data.request);
      return;
    case 'attend':
      session?.attend(data.attending);
      return;
    case 'viewpoint':
      viewpoint = data.viewpoint;
      session?.look(viewpoint);
      return;
    case 'retry':
      session?.retry();
      return;
  }
};
