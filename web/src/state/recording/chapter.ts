import type { SceneInfo } from '../../gen/promenade/v1/wire_pb';
import type { Units } from '../../net/layout';

/** All that holds from one scene to the next. */
export interface Chapter {
  readonly info: SceneInfo | undefined;
  readonly units: Units;
  readonly tick_s: number;
}
