"""What a client of the protocol does with messages in parts and with changes, by the page docs/protocol.md alone."""

from promenade.v1 import wire_pb2 as wire


def changed(known, removed, fresh, key):
    """A list without what was removed, with what is new or changed, in the order of its keys again."""
    gone = set(removed)
    entries = {getattr(e, key): e for e in known if getattr(e, key) not in gone}
    entries.update((getattr(e, key), e) for e in fresh)
    return [entries[k] for k in sorted(entries)]


class Told:
    """All that one connection was told of the characters in the room and of the catalogue."""

    def __init__(self):
        self.parts = b""
        self.roster = None
        self.catalogue = None

    def take(self, message):
        """The message that one from the socket completes: whole rosters and catalogues in place of
        changes, None in place of a part that is not the last."""
        kind = message.WhichOneof("kind")
        if kind == "part":
            self.parts += message.part.data
            if message.part.left:
                return None
            whole = wire.ServerMessage.FromString(self.parts)
            self.parts = b""
            return self.take(whole)
        if kind in ("roster", "catalogue"):
            setattr(self, kind, getattr(message, kind))
        elif kind == "roster_change":
            return wire.ServerMessage(roster=self.change_roster(message.roster_change))
        elif kind == "catalogue_change":
            return wire.ServerMessage(catalogue=self.change_catalogue(message.catalogue_change))
        return message

    def change_roster(self, change):
        assert change.from_version == self.roster.version, (change.from_version, self.roster.version)
        old = self.roster
        self.roster = wire.Roster(
            version=change.version,
            entries=changed(old.entries, change.removed, change.entries, "id"),
            things=changed(old.things, change.removed, change.things, "id"),
            ties=changed(old.ties, change.removed_ties, change.ties, "id"))
        return self.roster

    def change_catalogue(self, change):
        assert change.from_revision == self.catalogue.revision, change.from_revision
        old = self.catalogue
        self.catalogue = wire.Catalogue(
            revision=change.revision,
            styles=changed(old.styles, change.removed_styles, change.styles, "name"),
            bodies=changed(old.bodies, change.removed_bodies, change.bodies, "name"))
        return self.catalogue
