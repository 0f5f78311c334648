// The content of the section about the crowd: the people here, their density, and the people who come and go.
import type { Api } from '../../net/api';
import type { Viewport } from '../../scene/picture/viewport';
import type { Context } from '../page/context';
import { density_view } from './density_view';
import { FlowEditor } from './flow_editor';
import { PeopleControls } from './people_controls';
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
      ...new PeopleControls(context).elements,
      density_view(context, viewport),
      new FlowEditor(context, api, viewport, panel).element,
    );
}
