// The worker: socket and decoding run here, so that a busy page does not delay them and they do not delay the page.
import type { FromWorker, ToWorker } from './messages';
import { Session } from './session';

interface WorkerScope {
  postMessage(message: FromWorker, transfer: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
}

const scope = self as unknown as WorkerScope;
let session: Session | undefined;

scope.onmessage = ({ data }) => {
  switch (data.kind) {
    case 'open':
      session?.close();
      session = new Session(data.options, (message, transfer = []) =>
        scope.postMessage(message, transfer),
      );
      return;
    case 'command':
      session?.command(data.request, data.command);
      return;
    case 'watch':
      session?.watch(data.characters);
      return;
    case 'rate':
      session?.set_rate(data.rate_hz);
      return;
    case 'introduce':
      session?.introduce(data.request, data.name);
      return;
    case 'attend':
      session?.attend(data.attending);
      return;
    case 'retry':
      session?.retry();
      return;
  }
};
