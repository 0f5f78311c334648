// Makes the parts of the page and connects them.
import { Api } from '../../net/api';
import { has_choice } from '../../net/arrival';
import { base_path } from '../../net/base_path';
import { Client } from '../../net/client';
import { Event_Kind } from '../../gen/promenade/v1/wire_pb';
import { Viewport } from '../../scene/picture/viewport';
import { Aiming } from '../../state/hand/aim';
import { Build } from '../../state/hand/build';
import { Selection } from '../../state/room/selection';
import { lineup_of } from '../../state/room/lineup';
import { Settings } from '../../state/room/settings';
import { World } from '../../state/room/world';
import { sentence } from '../../state/values/sentence';
import { Actions, explain } from '../room/actions';
import { aim_keys } from '../keys/aim_keys';
import { Announcer } from '../keys/announcer';
import { build_keys } from '../keys/build_keys';
import { camera_keys } from '../keys/camera_keys';
import { camera_panel } from '../camera/camera_panel';
import { build_panel } from '../hand/build_panel';
import { Builder } from '../hand/builder';
import { names_a_view, read_invitation, read_place } from './address';
import { banner } from './banner';
import { bare_switch } from './bare';
import { bottom_bar } from './bottom_bar';
import { character_panel, type CharacterPanel } from '../character/character_panel';
import { clock_bar } from '../room/clock_bar';
import { connection_panel } from './connection_panel';
import { apply_rights, type Context } from './context';
import { chosen_name, here_now } from '../visitors/here_now';
import { h, write } from '../parts/dom';
import { watch_fingers } from './fingers';
import { first_minute } from '../show/first_minute';
import { FirstView } from './first_view';
import { hand_bar } from '../hand/hand_bar';
import { help_dialog } from '../keys/help';
import { install_hook } from './hook';
import { listen_to_keys } from '../keys/keyboard';
import { loading } from './loading';
import { mark_key_focus } from '../keys/key_focus';
import { making_strip } from '../room/making';
import { open_in_its_scene } from '../gait_lab/lab_scene';
import { LateLobby } from '../lobby/late_lobby';
import { late_crowd } from '../crowd/late_crowd';
import { late_editors } from '../editor/late_editors';
import { late_tasks } from '../tasks/late_tasks';
import { LateSheet } from '../parts/later';
import { fetch_when_idle, kLater } from './late_parts';
import { left_panel } from './left_panel';
import { last_minute } from '../lookback/last_minute';
import { OpenSheets } from './open_sheets';
import { overlays_panel } from './overlays_panel';
import { people_panel } from '../visitors/people_panel';
import { picture_loss } from './picture_loss';
import { region_keys } from '../keys/regions';
import { name_picture, selection_words, tell_what_happens } from '../keys/room_teller';
import { rooms_panel } from '../room/rooms_panel';
import { selecting_keys } from '../keys/selecting_keys';
import { scenes_panel } from '../room/scenes_panel';
import { sheet_button } from './sheet_button';
import { offer_moment } from '../room/moment';
import { show_me } from '../show/show_me';
import { watch_free_part } from './free_part';
import { keep_address, offer_scene, watch_selection } from './shared_view';
import { Steering } from '../character/steering';
import { share_attention } from '../visitors/attend';
import { tell_viewpoint } from '../camera/tell_viewpoint';
import { tell_of_deeds } from '../visitors/told_deeds';
import { theme_button } from './theme';
import { thing_panel } from '../character/thing_panel';
import { title_bar } from './title_bar';
import { Toasts } from '../parts/toasts';

const kNoRoom =
  'The room of this link is not here: it was closed, or the link is wrong. Choose another one.';
const kRate_hz = 30;
const kLabRate_hz = 60; // every tick: a push-off is over in a tenth of a second
const kHiddenRate_hz = 1;
// A tab may go from one server to another below the same name, which must not get to know the token of the first.
const kTokenKey = `promenade.token${base_path()}`;
const kVisitorKey = `promenade.visitor${base_path()}`;
const kPlotEvery_s = 0.06;
const kHighSheets = 0.72; // of the height: sheets that begin above this cover much of the picture
const kBar_px = 52; // of the picture, that the bar with the clock covers above the gait lab

/** What makes this tab the same visitor again after a reload; nobody can guess it. */
function visitor_key(): string {
  const known = sessionStorage.getItem(kVisitorKey);
  if (known) return known;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  sessionStorage.setItem(kVisitorKey, key);
  return key;
}

/** Takes the token of an invitation over, and out of the address, so that it is not passed on by accident. */
function accept_invitation(): void {
  const token = read_invitation(location.hash);
  if (!token) return;
  sessionStorage.setItem(kTokenKey, token);
  history.replaceState(null, '', `${location.pathname}${location.search}`);
}

export function start(host: HTMLElement): void {
  accept_invitation();
  const place = read_place(location.search);
  const settings = new Settings(window.localStorage, place.overlays);
  settings.followed_part.set(place.part ?? '');
  const selection = new Selection();
  const world = new World();
  world.scene.watch((info) => settings.lend_overlay(lineup_of(info?.scene) && 'names'));
  const toasts = new Toasts();
  const first_view = new FirstView(world, fetch_when_idle);
  const client = new Client((message) => world.receive(message));
  let room = place.room;
  let rate_hz = kRate_hz;
  const me = visitor_key();
  const open = (token: string, choose = false) =>
    client.open({
      url: `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}${base_path()}/ws`,
      base_path: base_path(),
      room,
      token,
      visitor_key: me,
      name: chosen_name(),
      client: `promenade-web ${navigator.language}`,
      rate_hz,
      choose,
    });
  // First of all: the worker joins the room while the picture is being set up here, which takes longer.
  open(sessionStorage.getItem(kTokenKey) ?? '', !names_a_view(place));

  const actions = new Actions(client, world, selection, toasts);
  const steering = new Steering(world, actions);
  const build = new Build();
  const builder = new Builder(world, selection, build, actions, toasts);
  const context: Context = {
    ...{ client, world, selection, settings, build, actions, steering, toasts },
    ...{ aiming: new Aiming(), announcer: new Announcer() },
  };

  const picture = h('main', { class: 'viewport' });
  host.append(picture);
  const viewport = new Viewport(
    picture,
    world,
    selection,
    settings,
    build,
    {
      select: (id, add) => (add ? selection.toggle(id) : selection.choose(id)),
      hover: (id) => selection.hovered.set(id),
      push: (id, link, point, force) => {
        void actions.push(id, link, point, force);
        first.did('push');
      },
      most_push_n: () => actions.most_push_n,
      pushing: (on) => build.pushing.set(on),
      send: ([x, y]) => void actions.go_to(x, y),
      walk: (points) => void actions.walk(points),
      offer: (event, hit, wanted) => tasks.offer(event, hit, wanted),
      has_selection: () => actions.walkers.length > 0,
      draws_path: () => settings.path_tool.value && actions.walkers.length > 0,
      path_done: () => settings.path_tool.set(false),
      mode: () => build.mode.value,
      build_tool: () => build.tool.value,
      drag: (hit, target) => {
        build.dragging.set(target !== undefined);
        builder.drag(hit, target);
      },
      place: (spot) => {
        build.keyboard_spot.set(undefined);
        void builder.place(spot);
      },
      turn: (steps) => build.turn(steps),
      tie: (point) => builder.tie_point(point),
    },
    place,
  );
  selection.hovered.watch((id) => (picture.dataset['hover'] = id === undefined ? 'no' : 'yes'));
  const show_tool = () => {
    const { kind } = build.tool.value;
    picture.dataset['tool'] = settings.path_tool.value ? 'path' : kind;
  };
  settings.path_tool.watch(show_tool);
  build.tool.watch(show_tool);
  settings.path_tool.watch((on) => on && build.end());
  name_picture(context, viewport.stage.renderer.domElement);
  const tell_event = tell_what_happens(context);
  build.tool.watch(({ kind }) => kind !== 'none' && settings.path_tool.set(false));

  const use_token = (token: string) => {
    sessionStorage.setItem(kTokenKey, token);
    open(token);
  };

  const enter_room = (id: string) => {
    entered = true;
    lobby.hide();
    if (id === world.hello.value?.room && world.status.value.kind === 'online') return;
    room = id;
    open(sessionStorage.getItem(kTokenKey) ?? '');
  };

  const clock = clock_bar(context);
  const past = last_minute(context, viewport, host);
  const api = new Api(
    () => world.hello.value?.room || room || 'main',
    () => sessionStorage.getItem(kTokenKey) ?? '',
    me,
  );
  const lobby = new LateLobby(
    api,
    toasts,
    {
      enter: enter_room,
      here: () => (world.status.value.kind === 'online' ? world.hello.value?.room : undefined),
    },
    () => {
      // Nobody can choose: whoever is in no room comes to the first one.
      const { value: status } = world.status;
      if (!entered || (status.kind === 'refused' && status.missing)) enter_room('');
    },
  );
  const lab = new LateSheet(
    h('section', {
      class: 'panel gait-lab',
      attributes: { 'aria-label': 'Gait lab', 'data-test': 'gait-lab' },
    }),
    toasts,
    async (sheet) => (await kLater.gait_lab.get()).gait_lab(context, sheet),
  );
  const set_rate = () => {
    const unseen = lobby.open.value || document.hidden;
    rate_hz = unseen ? kHiddenRate_hz : lab.open.value ? kLabRate_hz : kRate_hz;
    client.set_rate(rate_hz);
  };
  let entered = names_a_view(place); // before that there is nothing to draw
  const at_first = world.status.value;
  lobby.open.watch((shown) => {
    host.classList.toggle('in-lobby', shown);
    viewport.set_shown(!shown && entered);
    // Keys go on from where they were: in the lobby to its cards, afterwards to the room.
    if (!shown && lobby.was_open) viewport.stage.renderer.domElement.focus();
    set_rate();
  });
  world.on_room_closed = (reason) => {
    room = '';
    toasts.show(reason, 'error');
    // The connection goes on to the first room; where there are others, people choose.
    const token = sessionStorage.getItem(kTokenKey) ?? '';
    void has_choice({ base_path: base_path(), token, visitor_key: me }).then(
      (choice) => choice && lobby.show(reason),
    );
  };
  world.status.watch((status) => {
    if (status !== at_first && !entered) {
      entered = true; // there was nothing to choose
      viewport.set_shown(true);
    }
    if (status.kind === 'refused' && status.missing) lobby.show(kNoRoom);
  });
  const editors = late_editors(context, api);
  const tasks = late_tasks(context, api, () => viewport);
  const character = character_panel(context, editors, builder, tasks.panel, () =>
    lab.open.set(true),
  );
  const fingers = watch_fingers();
  const help = help_dialog(fingers, toasts);
  const focus_picture = () => viewport.stage.renderer.domElement.focus();
  const bare = bare_switch(host, focus_picture);
  mark_key_focus(viewport.stage.renderer.domElement);
  // Made before show_me: what ends a show then still finds it running here.
  const first = first_minute(
    context,
    viewport,
    picture,
    fingers,
    () => lobby.open.value || help.element.open || show.running.value,
    () => show.may(),
  );
  const show = show_me(context, viewport, api);
  const here = here_now(context);
  const left = left_panel(
    rooms_panel(context, api, enter_room, () => lobby.show()),
    scenes_panel(context, fingers, show.button),
    build_panel(context, () => ({
      portrait: (skeleton, told) => viewport.portrait(skeleton, told),
      middle: () => viewport.middle(),
      focus: focus_picture,
    })),
    late_crowd(context, api, () => viewport),
    people_panel(context, api),
    camera_panel(context, () => viewport),
    overlays_panel(context),
    connection_panel(context, () => viewport, use_token),
  );
  picture.append(first.hand, picture_loss(viewport));
  const narrow = sheet_button(context, host, show.running);
  const title = title_bar(context, [
    here.button,
    h('button', {
      class: 'round',
      text: '⌂',
      title: 'Lobby: all rooms (H)',
      attributes: { 'aria-label': 'Lobby', 'data-test': 'lobby' },
      on: { click: () => lobby.show() },
    }),
    theme_button(settings, (dark) => {
      viewport.set_dark(dark);
      lobby.set_dark(dark);
    }),
    h('button', {
      class: 'round',
      text: '?',
      title: 'Help',
      attributes: { 'aria-label': 'Help' },
      on: { click: help.show },
    }),
    bare.button,
    narrow.button,
  ]);
  const thing = thing_panel(context, builder, () => viewport.away);
  const bottom = bottom_bar(context, fingers, {
    clock: clock.element,
    hand: hand_bar(context, builder, viewport),
    past,
    show,
    tip: first.element,
  });
  host.append(
    ...[title, here.panel, left, character.element, thing, lab.element, bottom],
    banner(context),
    toasts.element,
    help.element,
    push_label(viewport),
    loading(world, host),
    making_strip(world),
    lobby.element,
    context.announcer.element,
  );

  const sheets = new OpenSheets(focus_picture);
  sheets.add(
    { name: 'lab', element: lab.element, open: lab.open },
    ...past.sheets,
    { name: 'here', element: here.panel, open: here.open },
    { name: 'panels', element: left, open: narrow.open },
    {
      ...{ name: 'lobby', element: lobby.element, open: lobby.open },
      ...{ show: () => lobby.show(), close: () => lobby.hide() },
    },
  );
  keep_in_view(host, left, character, lab, viewport, past.docks, show.element);
  watch_free_part(host, picture, viewport);
  follow_edited(context, character, lab, viewport);
  const rights = () => apply_rights(host, world);
  world.hello.watch(rights);
  world.rights.watch((now) => {
    rights();
    if (now?.text) toasts.show(sentence(now.text));
  });
  world.on_error = (error) => {
    // Whoever is watched may be gone by then, as after a new start of the server: the roster tells that.
    if (!/^(watch|attend|viewpoint)\b/.test(error.field)) toasts.show(explain(error), 'error');
  };
  world.on_event = (event) => {
    tell_event(event);
    tasks.heard(event);
    if (
      event.kind === Event_Kind.NOTICE ||
      event.kind === Event_Kind.SLOW_VIEWER ||
      event.kind === Event_Kind.QUARANTINED
    ) {
      if (event.text) toasts.show(sentence(event.text));
    }
  };
  watch_selection(context, viewport, place);
  open_in_its_scene(context, lab);
  lab.open.watch(set_rate);
  offer_scene(context, place.scene);
  offer_moment(context, place);
  tell_of_deeds(context, () => lobby.open.value);
  const attend = share_attention(context, viewport);
  const look = tell_viewpoint(context, viewport.stage.frame);
  keep_address(context, viewport, () => room);

  const undo_in = (what: 'undo' | 'redo') => {
    const tab = character.tab.value;
    if (!world.can_command || character.element.hidden) return;
    // The sliders of the tab Walk edit the style, too.
    editors[what](tab === 'body' ? 'body' : 'style');
  };
  const aim = aim_keys(context, builder, viewport, focus_picture);
  viewport.key_sketch = aim.sketch;
  selection.ids.watch((ids) => {
    // What is shown tells itself whom it is about.
    if (ids.length > 0 && !show.running.value) context.announcer.answer(selection_words(context));
  });
  const built = build_keys(context, builder, viewport);
  listen_to_keys({
    covered: () => lobby.open.value,
    lobby: () => lobby.show(),
    faster: (direction) => steering.faster(direction),
    sideways: (direction) => steering.sideways(direction),
    turn_begin: (direction) => steering.turn_begin(direction),
    turn_end: () => steering.turn_end(),
    stop: () => steering.stop(),
    escape: () => {
      if (viewport.cancel() || aim.end() || build.end() || editors.cancel()) return;
      if (sheets.close_last()) return;
      if (settings.path_tool.value) settings.path_tool.set(false);
      else selection.clear();
    },
    ...selecting_keys(context, viewport),
    region: region_keys([
      ...[picture, title, here.panel, left, character.element, thing, lab.element],
      ...bottom.querySelectorAll<HTMLElement>('.hints'), // with the button Show me
      ...[...past.docks, clock.element, past.buttons, toasts.element],
    ]),
    only_in_picture: () => settings.picture_keys.value,
    ...built,
    ...aim,
    put: () => built.put() || aim.put(),
    shift: (press) => built.shift(press) || aim.shift(press),
    ...camera_keys(viewport, toasts),
    errand: () => tasks.offer_list(),
    follow: () => settings.follow.set(!settings.follow.value),
    path: () => settings.path_tool.set(!settings.path_tool.value),
    bare: () => bare.toggle(),
    pause: () => (world.lookback.on.value ? past.play() : clock.toggle_pause()),
    step: () => (world.lookback.on.value ? past.step(1) : clock.step()),
    look_back: () => past.toggle(),
    step_back: () => past.step(-1),
    help: help.show,
    undo: () => undo_in('undo'),
    redo: () => undo_in('redo'),
  });
  document.addEventListener('visibilitychange', set_rate);

  let since_plot = 0;
  viewport.on_picture = (elapsed_s) => {
    editors.draw();
    past.draw(elapsed_s);
    show.draw();
    first.draw(elapsed_s);
    first_view.picture(world.pose.cast.members.some(({ complete }) => complete));
    attend();
    look();
    since_plot += elapsed_s;
    if (since_plot < kPlotEvery_s) return;
    since_plot = 0;
    character.draw();
    lab.draw();
  };
  install_hook(context, viewport, picture, editors, first_view, sheets);
  world.on_choice = () => lobby.show();
  first_view.note('ready');
}

/** Panels cover much of the page: moves the picture's centre to the middle of the part that is left free. */
function keep_in_view(
  host: HTMLElement,
  left: HTMLElement,
  character: CharacterPanel,
  lab: LateSheet,
  viewport: Viewport,
  docks: readonly HTMLElement[],
  told: HTMLElement,
): void {
  const refresh = () => {
    host.classList.toggle('lab-open', lab.open.value);
    const dock = lab.element.getBoundingClientRect();
    const docked = dock.height > 0;
    const tops = docks.filter((one) => !one.hidden).map((one) => one.getBoundingClientRect().top);
    const sheets = Math.min(host.clientHeight, ...tops);
    host.style.setProperty('--lab-height', `${dock.height.toFixed(0)}px`);
    const shown = character.element.offsetParent !== null && !character.element.hidden;
    const editing = shown && character.tab.value !== 'walk';
    host.classList.toggle('editing', editing);
    const { clientWidth: width, clientHeight: height } = host;
    const box = docked ? dock : character.element.getBoundingClientRect();
    if ((docked || shown) && box.width > 0.75 * width) {
      // The lab, and on a narrow page the panel, cover the lower part.
      const free = box.top - (docked ? kBar_px : 0);
      const shrink = Math.min(2.2, 0.75 / Math.max(0.2, free / height));
      viewport.under_panels.set_shift(0, (free - height) / 2, Math.max(1, shrink));
    } else if (!told.hidden) {
      // What is shown stands above the sentence that tells it.
      const { top } = told.getBoundingClientRect();
      viewport.under_panels.set_shift(0, (top - height) / 2, Math.min(1.6, height / top));
    } else if (sheets < kHighSheets * height) {
      // Plots cover the lower part, too.
      viewport.under_panels.set_shift(
        0,
        (sheets - height) / 2,
        Math.min(2.2, height / (sheets + kBar_px)),
      );
    } else if (docked || editing) {
      const from = left.getBoundingClientRect().right;
      viewport.under_panels.set_shift((from + box.left - width) / 2, 0);
    } else {
      const { right, width: wide } = left.getBoundingClientRect();
      const from = left.offsetParent !== null && wide < 0.5 * width ? Math.max(0, right) : 0;
      const to = shown && box.width > 0 ? box.left : width;
      // The panel on the right moves the picture only where it has to: the next click would miss what has moved.
      const middle = Math.min((from + width) / 2, to - 0.25 * (to - from));
      viewport.under_panels.set_shift(middle - width / 2, 0);
    }
  };
  character.tab.watch(refresh);
  lab.open.watch(refresh);
  const observer = new ResizeObserver(refresh);
  observer.observe(host);
  observer.observe(left);
  observer.observe(character.element);
  observer.observe(lab.element);
  for (const one of [...docks, told]) observer.observe(one);
}

/** While an editor or the gait lab is open the camera follows their character, so that the effect of a change is seen. */
function follow_edited(
  { selection, settings }: Context,
  character: CharacterPanel,
  lab: LateSheet,
  viewport: Viewport,
): void {
  let shown: number | undefined;
  let ours = false; // following was switched on here, not by the user
  const refresh = () => {
    const busy = lab.open.value || character.tab.value !== 'walk';
    const edited = busy ? selection.first : undefined;
    if (edited === shown) return;
    const before = shown;
    shown = edited;
    if (edited !== undefined) {
      // The scene of the lab has a view of its own, and whoever follows has chosen one.
      const lab_only = lab.open.value && character.tab.value === 'walk';
      if (lab_only && (viewport.cameraman.shows_given || viewport.cameraman.directed)) return;
      if (!lab.open.value || !settings.follow.value) viewport.show(edited);
      if (before !== undefined || settings.follow.value) return;
      settings.follow.set(true);
      ours = true;
    } else if (ours) {
      settings.follow.set(false);
    }
  };
  settings.follow.watch((on) => {
    if (!on) ours = false;
  });
  character.tab.watch(refresh);
  lab.open.watch(refresh);
  selection.ids.watch(refresh);
}

function push_label(viewport: Viewport): HTMLElement {
  const label = h('output', { class: 'push-label' });
  viewport.on_push = (spot) => {
    label.hidden = !spot;
    if (!spot) return;
    label.style.transform = `translate(${spot.x.toFixed(0)}px, ${spot.y.toFixed(0)}px)`;
    write(label, `${Math.hypot(...spot.force).toFixed(0)} N`);
    label.dataset['force'] = spot.force.map((part) => part.toFixed(1)).join(' '); // N, world frame
  };
  return label;
}
