#include "app/catalogue.h"

namespace promenade::app {

v1::SceneList scene_list(const Library& library) {
  v1::SceneList list;
  for (const std::string& name : library.scene_names()) {
    const v1::Scene& scene = library.find_scene(name)->message;
    v1::SceneName* out = list.add_scenes();
    out->set_name(name);
    out->set_title(scene.title());
    out->set_description(scene.description());
    out->set_hint(scene.hint());
  }
  return list;
}

stream::SceneContent scene_content(const Library& library, const world::Roster& roster) {
  stream::SceneContent content;
  if (const auto scene = library.find_scene(roster.scene)) content.scene = scene->message;
  for (const auto& body : roster.bodies) {
    const BodyLibrary::Entry* entry = library.bodies().find(body->name);
    content.bodies.push_back(entry ? entry->character : v1::Character());
  }
  for (const std::string& name : library.styles().names()) {
    const auto style = library.styles().find(name);
    v1::StyleInfo info;
    info.set_name(name);
    info.set_title(style->title);
    info.set_description(style->description);
    content.styles.push_back(std::move(info));
  }
  const v1::SceneList scenes = scene_list(library);
  content.scenes.assign(scenes.scenes().begin(), scenes.scenes().end());
  return content;
}

}  // namespace promenade::app
