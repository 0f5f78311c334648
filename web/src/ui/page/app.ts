// Makes the parts of the page and connects them.
import { Api } from '../../net/api';
import type { Event } from '../../gen/promenade/v1/wire_pb';
import type { Signal } from '../../state/values/signal';
import { camera_panel } from '../camera/camera_panel';
import { build_panel } from '../hand/build_panel';
import { Builder } from '../hand/builder';
import { names_a_view, type Place, read_place } from './address';
import { banner } from './banner';
import { type Bare, bare_switch } from './bare';
import { bottom_bar } from './bottom_bar';
import { character_panel, type CharacterPanel } from '../character/character_panel';
import { ClockBar } from '../room/clock_bar';
import { connection_panel } from './connection_panel';
import type { Context } from './context';
import { Entrance } from '../room/entrance';
import { HereNow } from '../visitors/here_now';
import { h } from '../parts/dom';
import { watch_fingers } from './fingers';
import { first_minute, type FirstMinuteTip } from '../show/first_minute';
import type { FirstView } from './first_view';
import { hand_bar } from '../hand/hand_bar';
import { help_dialog } from '../keys/help';
import { install_hook } from './hook';
import { loading } from './loading';
import { mark_key_focus } from '../keys/key_focus';
import { making_strip } from '../room/making';
import { join_room } from '../room/join_room';
import { accept_invitation, type Membership } from '../room/membership';
import { open_in_its_scene } from '../gait_lab/lab_scene';
import { late_crowd } from '../crowd/late_crowd';
import type { Editors } from '../editor/editors';
import { late_editors } from '../editor/late_editors';
import { late_learn, type LateLearn } from '../learn/late_learn';
import { late_tasks, type LateTasks } from '../tasks/late_tasks';
import { LateSheet } from '../parts/later';
import { kLater } from './late_parts';
import { left_panel } from './left_panel';
import { last_minute, type LastMinute } from '../lookback/last_minute';
import { OpenSheets } from './open_sheets';
import { overlays_panel } from './overlays_panel';
import { PageKeys } from '../keys/page_keys';
import { people_panel } from '../visitors/people_panel';
import { follow_edited, MakesWay, Picture, push_label } from './picture';
import { picture_loss } from './picture_loss';
import { hear_room } from '../room/hear_room';
import { tell_what_happens } from '../keys/room_teller';
import { rooms_panel } from '../room/rooms_panel';
import { scenes_panel } from '../room/scenes_panel';
import { sheet_button } from './sheet_button';
import { offer_moment } from '../room/moment';
import { ShowMe } from '../show/show_me';
import { watch_free_part } from './free_part';
import { keep_address, offer_scene, watch_selection } from './shared_view';
import { share_attention } from '../visitors/attend';
import { tell_viewpoint } from '../camera/tell_viewpoint';
import { tell_of_deeds } from '../visitors/told_deeds';
import { theme_button } from './theme';
import { late_thing_panel } from '../character/late_thing_panel';
import { title_bar } from './title_bar';

const kEveryTick_hz = 60; // a push-off is over in a tenth of a second, and so is a stride of an ant
const kHiddenRate_hz = 1;
const kPlotEvery_s = 0.06;

/** The page: its constructor makes the parts and puts them in place, `connect` lets them hear of each other. */
class App {
  private readonly context_: Context;
  private readonly membership_: Membership;
  private readonly first_view_: FirstView;
  private readonly builder_: Builder;
  private readonly picture_: Picture;
  private readonly tell_event_: (event: Event) => void;
  private readonly clock_: ClockBar;
  private readonly past_: LastMinute;
  private readonly api_: Api;
  private readonly entrance_: Entrance;
  private readonly lab_: LateSheet;
  private readonly editors_: Editors;
  private readonly tasks_: LateTasks;
  private readonly learn_: LateLearn;
  private readonly character_: CharacterPanel;
  private readonly fingers_: Signal<boolean>;
  private readonly help_: ReturnType<typeof help_dialog>;
  private readonly bare_: Bare;
  private readonly first_: FirstMinuteTip;
  private readonly show_: ShowMe;
  private readonly here_: HereNow;
  private readonly left_: HTMLElement;
  private readonly narrow_: ReturnType<typeof sheet_button>;
  private readonly title_: HTMLElement;
  private readonly thing_: HTMLElement;
  private readonly bottom_: HTMLElement;
  private readonly sheets_ = new OpenSheets(() => this.picture_.focus());
  private since_plot_s_ = 0;

  constructor(
    private readonly host_: HTMLElement,
    private readonly place_: Place,
  ) {
    const { context, membership, first_view } = join_room(place_);
    this.context_ = context;
    this.membership_ = membership;
    this.first_view_ = first_view;
    const { actions, build, selection, toasts, world } = context;
    this.builder_ = new Builder(world, selection, build, actions, toasts);
    this.picture_ = new Picture(context, this.builder_, host_, place_, {
      pushed: () => this.first_.did('push'),
      offer: (event, hit, wanted) => this.tasks_.offer(event, hit, wanted),
    });
    const { viewport } = this.picture_;
    this.tell_event_ = tell_what_happens(context);
    this.clock_ = new ClockBar(context);
    this.past_ = last_minute(context, viewport, host_);
    this.api_ = new Api(
      () => world.hello.value?.room || membership.room || 'main',
      () => membership.token,
      membership.visitor_key,
    );
    const asked = names_a_view(place_);
    this.entrance_ = new Entrance(context, membership, this.api_, viewport, host_, asked);
    this.lab_ = this.make_lab();
    this.editors_ = late_editors(context, this.api_, (sheet) => this.sheets_.add(sheet));
    this.tasks_ = late_tasks(context, this.api_, () => viewport);
    this.learn_ = late_learn(context, this.api_);
    this.character_ = character_panel(
      context,
      this.editors_,
      this.builder_,
      h('div', {}, this.learn_.opener, this.tasks_.panel),
      () => this.lab_.open.set(true),
    );
    this.fingers_ = watch_fingers();
    this.help_ = help_dialog(this.fingers_, toasts);
    this.bare_ = bare_switch(host_, () => this.picture_.focus());
    mark_key_focus(this.picture_.canvas);
    // Made before show_me: what ends a show then still finds it running here.
    this.first_ = this.make_first_minute();
    this.show_ = new ShowMe(context, viewport, this.api_);
    this.here_ = new HereNow(context);
    this.left_ = this.make_left();
    this.picture_.element.append(this.first_.hand, picture_loss(viewport));
    this.narrow_ = sheet_button(context, host_, this.show_.running);
    this.title_ = this.make_title();
    this.thing_ = late_thing_panel(context, this.builder_, () => viewport.away);
    this.bottom_ = this.make_bottom();
    this.put_in_place();
    this.add_sheets();
  }

  connect(): void {
    const { context_: context, place_: place } = this;
    const { viewport, element: picture } = this.picture_;
    const over = {
      ...{ left: this.left_, character: this.character_, lab: this.lab_ },
      ...{ docks: this.docks, told: this.show_.element },
    };
    new MakesWay(this.host_, over, viewport).begin();
    watch_free_part(this.host_, picture, viewport);
    follow_edited(context, over, viewport);
    hear_room(context, this.host_, (event) => {
      this.tell_event_(event);
      this.tasks_.heard(event);
    });
    watch_selection(context, viewport, place);
    open_in_its_scene(context, this.lab_);
    this.lab_.open.watch(() => this.set_rate());
    this.character_.every_tick.watch(() => this.set_rate());
    this.entrance_.lobby.open.watch(() => this.set_rate());
    offer_scene(context, place.scene);
    offer_moment(context, place);
    tell_of_deeds(context, () => this.entrance_.lobby.open.value);
    const tell_others = [
      share_attention(context, viewport),
      tell_viewpoint(context, viewport.stage.frame),
    ];
    keep_address(context, viewport, () => this.membership_.room);
    this.listen_to_keys();
    document.addEventListener('visibilitychange', () => this.set_rate());
    viewport.on_picture = (elapsed_s) => this.after_picture(elapsed_s, tell_others);
    const { editors_: editors, first_view_: first_view, sheets_: sheets } = this;
    install_hook({ context, viewport, picture, editors, first_view, sheets });
    context.world.on_choice = () => this.entrance_.lobby.show();
    first_view.note('ready');
  }

  private make_lab(): LateSheet {
    const { context_: context } = this;
    return new LateSheet(
      h('section', {
        class: 'panel gait-lab',
        attributes: { 'aria-label': 'Gait lab', 'data-test': 'gait-lab' },
      }),
      context.toasts,
      async (sheet) => (await kLater.gait_lab.get()).gait_lab(context, sheet),
    );
  }

  private make_first_minute(): FirstMinuteTip {
    const { viewport, element } = this.picture_;
    return first_minute(this.context_, viewport, element, {
      fingers: this.fingers_,
      busy: () =>
        this.entrance_.lobby.open.value || this.help_.element.open || this.show_.running.value,
      may_show: () => this.show_.may(),
    });
  }

  private make_left(): HTMLElement {
    const { api_: api, context_: context, entrance_: entrance } = this;
    const { viewport } = this.picture_;
    return left_panel(
      this.learn_.notice,
      rooms_panel(
        context,
        api,
        (id) => entrance.enter(id),
        () => entrance.lobby.show(),
      ),
      scenes_panel(context, this.fingers_, () => this.show_.button()),
      build_panel(context, () => ({
        portrait: (skeleton, told) => viewport.portrait(skeleton, told),
        middle: () => viewport.middle(),
        focus: () => this.picture_.focus(),
      })),
      late_crowd(context, api, () => viewport),
      people_panel(context, api),
      camera_panel(context, () => viewport),
      overlays_panel(context),
      connection_panel(
        context,
        () => viewport,
        (token) => this.membership_.use_token(token),
      ),
    );
  }

  private make_title(): HTMLElement {
    const { lobby } = this.entrance_;
    return title_bar(this.context_, [
      this.here_.button,
      h('button', {
        class: 'round',
        text: '⌂',
        title: 'Lobby: all rooms (H)',
        attributes: { 'aria-label': 'Lobby', 'data-test': 'lobby' },
        on: { click: () => lobby.show() },
      }),
      theme_button(this.context_.settings, (dark) => {
        this.picture_.viewport.set_dark(dark);
        lobby.set_dark(dark);
      }),
      h('button', {
        class: 'round',
        text: '?',
        title: 'Help',
        attributes: { 'aria-label': 'Help' },
        on: { click: this.help_.show },
      }),
      this.bare_.button,
      this.narrow_.button,
    ]);
  }

  private make_bottom(): HTMLElement {
    return bottom_bar(this.context_, this.fingers_, {
      clock: this.clock_.element,
      hand: hand_bar(this.context_, this.builder_, this.picture_.viewport),
      docks: this.docks,
      past: this.past_,
      show: this.show_,
      tip: this.first_.element,
    });
  }

  private put_in_place(): void {
    const { announcer, toasts, world } = this.context_;
    this.host_.append(
      ...[this.title_, this.here_.panel, this.left_, this.character_.element],
      ...[this.thing_, this.lab_.element, this.bottom_],
      banner(this.context_),
      toasts.element,
      this.help_.element,
      push_label(this.picture_.viewport),
      loading(world, this.host_),
      making_strip(world),
      this.entrance_.lobby.element,
      announcer.element,
    );
  }

  /** All that opens above the bar with the clock. */
  private get docks(): readonly HTMLElement[] {
    return [this.learn_.sheet.element, ...this.past_.docks];
  }

  /** Names all that Esc closes. */
  private add_sheets(): void {
    const { here_: here, lab_: lab } = this;
    const { sheet: learn } = this.learn_;
    const { lobby } = this.entrance_;
    this.sheets_.add(
      { name: 'lab', element: lab.element, open: lab.open },
      ...this.past_.sheets,
      { name: 'learn', element: learn.element, open: learn.open },
      { name: 'here', element: here.panel, open: here.open },
      { name: 'panels', element: this.left_, open: this.narrow_.open },
      {
        ...{ name: 'lobby', element: lobby.element, open: lobby.open },
        ...{ show: () => lobby.show(), close: () => lobby.hide() },
      },
    );
  }

  /** Every tick is needed by the gait lab and by footfalls, and hardly any frame while none can be seen. */
  private set_rate(): void {
    const unseen = this.entrance_.lobby.open.value || document.hidden;
    const every_tick = this.lab_.open.value || this.character_.every_tick.value;
    this.membership_.set_rate(unseen ? kHiddenRate_hz : every_tick ? kEveryTick_hz : undefined);
  }

  private listen_to_keys(): void {
    const { past_: past, clock_: clock } = this;
    const regions = [
      ...[this.picture_.element, this.title_, this.here_.panel, this.left_],
      ...[this.character_.element, this.thing_, this.lab_.element],
      ...this.bottom_.querySelectorAll<HTMLElement>('.hints'), // with the button Show me
      ...[...this.docks, clock.element, past.buttons, this.context_.toasts.element],
    ];
    const keys = new PageKeys(this.context_, {
      ...{ past, clock, regions, picture: this.picture_, builder: this.builder_ },
      ...{ character: this.character_, editors: this.editors_, tasks: this.tasks_ },
      ...{ bare: this.bare_, show: this.show_, sheets: this.sheets_, help: this.help_.show },
      lobby: this.entrance_.lobby,
    });
    keys.listen();
  }

  /** Draws what goes by the clock of pictures. @param tell_others called after every picture */
  private after_picture(elapsed_s: number, tell_others: readonly (() => void)[]): void {
    this.editors_.draw();
    this.past_.draw(elapsed_s);
    this.show_.draw();
    this.first_.draw(elapsed_s);
    const { members } = this.context_.world.pose.cast;
    this.first_view_.picture(members.some(({ complete }) => complete));
    for (const tell of tell_others) tell();
    this.since_plot_s_ += elapsed_s;
    if (this.since_plot_s_ < kPlotEvery_s) return;
    this.since_plot_s_ = 0;
    this.character_.draw();
    this.lab_.draw();
    this.learn_.sheet.draw();
  }
}

export function start(host: HTMLElement): void {
  accept_invitation();
  new App(host, read_place(location.search)).connect();
}
