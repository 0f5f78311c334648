// The content of the section about the crowd: who is here, how dense they stand, and who comes and goes.
import type { Api } from '../../net/api';
import type { Viewport } from '../../scene/picture/viewport';
import type { Context } from '../page/context';
import { density_view } from './density_view';
import { flow_editor } from './flow_editor';
import { people_controls } from './people_controls';
import '../style/crowd.css';

/** @param panel the section, which is empty and open now */
export function fill_crowd(
  context: Context,
  api: Api,
  viewport: Viewport,
  panel: HTMLDetailsElement,
): void {
  panel
    .querySelector('.section-body')
    ?.append(
      ...people_controls(context),
      density_view(context, viewport),
      flow_editor(context, api, viewport, panel),
    );
}
