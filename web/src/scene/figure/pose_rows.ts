import { PoseTexture } from './pose_texture';

interface Entry {
  readonly row: number; // first
  readonly links: number;
  picture: number; // in which it was last asked for
}

/**
 * Rows in a texture of poses for bodies whose links are drawn, so that a crowd does not send those of all bodies. A body
 * keeps its rows from picture to picture while it is drawn.
 */
export class PoseRows {
  readonly texture = new PoseTexture();
  /** Changes whenever somebody gets rows or loses them. */
  version = 0;
  private readonly entries_ = new Map<number, Entry>();
  private readonly free_ = new Map<number, number[]>(); // by how many links: first rows
  private end_ = 0;
  private picture_ = 0;

  /** A new picture: a body that does not ask for rows in it loses them. */
  begin(): void {
    ++this.picture_;
  }

  /** The first row of a body, which keeps it in this picture. */
  take(id: number, links: number): number {
    const old = this.entries_.get(id);
    if (old?.links === links) {
      old.picture = this.picture_;
      return old.row;
    }
    if (old) this.release(id, old);
    const row = this.free_.get(links)?.pop() ?? this.end_;
    if (row === this.end_) this.end_ += links;
    this.texture.reserve(this.end_);
    this.entries_.set(id, { row, links, picture: this.picture_ });
    ++this.version;
    return row;
  }

  /** The first row of a body that has rows in this picture. */
  row_of(id: number): number | undefined {
    return this.entries_.get(id)?.row;
  }

  /** Frees the rows that nobody asked for, and sends the others to the GPU. */
  end(): void {
    for (const [id, entry] of this.entries_)
      if (entry.picture !== this.picture_) this.release(id, entry);
    if (this.entries_.size > 0) this.texture.send();
    else this.end_ = 0;
    if (this.end_ === 0) this.free_.clear();
  }

  dispose(): void {
    this.texture.dispose();
  }

  private release(id: number, { row, links }: Entry): void {
    this.entries_.delete(id);
    const free = this.free_.get(links);
    if (free) free.push(row);
    else this.free_.set(links, [row]);
    ++this.version;
  }
}
