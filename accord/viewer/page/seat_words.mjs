/** Playing by answers to questions on the page: there is nothing to draw, only what was said and what is asked. */
import { SeatGame } from './seat_game.mjs'

/** The game on one page. */
export class SeatWords extends SeatGame {
  /** @param {import('./seat_game.mjs').Ask} ask @param {import('./seat_game.mjs').Tell} tell
   * @param {(error: unknown) => void} failed */
  constructor (ask, tell, failed) {
    super('', ask, tell, failed)
  }

  /** Change nothing: the game has no part of the page for itself. */
  showSection () {}
}
