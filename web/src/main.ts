import { start } from './ui/page/app';
import './ui/style/index.css';

const host = document.getElementById('app') as HTMLElement;
try {
  start(host);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  host.className = 'failed';
  host.textContent = `The page could not start: ${reason} It needs WebGL 2: try a current Firefox, Chrome or Safari, and switch hardware acceleration on.`;
}
