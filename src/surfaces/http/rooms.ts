/** The rooms of principals, each made at the first request. */

import { isLocalOwner, type Principal, principalKey } from '../../engine/principal.ts'
import { Room, type RoomParts } from './room.ts'

export class Rooms {
  readonly #parts: RoomParts
  readonly #rooms = new Map<string, Room>()

  constructor(parts: RoomParts) {
    this.#parts = parts
    const sweeping = setInterval(() => this.sweep().catch(() => {}), parts.all.sweep).unref()
    parts.closing?.addEventListener('abort', () => clearInterval(sweeping), { once: true })
  }

  get size(): number {
    return this.#rooms.size
  }

  of(principal: Principal): Room {
    const key = principalKey(principal)
    const room = this.#rooms.get(key) ?? new Room(this.#parts, principal)
    this.#rooms.set(key, room)
    return room
  }

  sum(count: (room: Room) => number): number {
    return [...this.#rooms.values()].reduce((sum, room) => sum + count(room), 0)
  }

  /** Closes the rooms of principals without a valid token or session: an open stream checks neither. */
  async sweep(): Promise<void> {
    const guests = [...this.#rooms].filter(([, { principal }]) => !isLocalOwner(principal))
    if (guests.length === 0) return
    const names = guests.map(([, { principal }]) => principal.name)
    const people = (await this.#parts.auth?.people(names)) ?? []
    const good = new Set([...(await (await this.#parts.engine.tokens()).principals()), ...people].map(principalKey))
    for (const [key, room] of guests) {
      if (good.has(key)) continue
      this.#rooms.delete(key)
      await room.close()
    }
  }
}
