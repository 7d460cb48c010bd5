"""A custom player that takes immediate wins and otherwise prefers the centre, against other players."""

import bestfirst as bf


class Central(bf.Player):
    """Looks one move ahead."""

    name = "central"

    def choose(self, played: bf.PlayedGame) -> int:
        game, state = played.game, played.state
        moves = game.legal_moves(state)
        winning = [move for move in moves if game.is_over(game.play(state, move))]
        return max(winning or moves, key=lambda move: game.order(state, move))


board = bf.ConnectFour(6, 5)
print(bf.play(board, Central(), bf.RandomPlayer(seed=1)))
print(bf.match(board, Central(), bf.RandomPlayer(seed=1), games=200, sprt=bf.Sprt(elo0=0, elo1=100)))
print(bf.match(board, Central(), bf.EnginePlayer(bf.GameLimits(depth=3)), games=20))
