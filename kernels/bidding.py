"""The bidding of die-wu-fen (DWF-6) among seats that each raise by one step up to a highest bid of their own.

So threshold strategies bid. Bids are levels here: 0 for the lowest of the rule set, 1 for the next.
"""

from __future__ import annotations

from ._jit import arr, arr2, i64, kernel


@kernel()
def _bid(opener, level, top, most, seat, own):
    """Banker and level when ``seat`` goes up to ``own``, the others to ``most``; the level it passed at, or -1."""
    passed, left, banker, asked = 0, 3, opener, -1
    at = opener
    while level < top:
        at = at + 1 if at < 2 else 0
        if (passed >> at) & 1:
            continue
        limit = own if at == seat else most[at]
        if limit > level:
            level += 1
            banker = at
        else:
            if at == seat:
                asked = level + 1
            passed |= 1 << at
            left -= 1
            if left == 1:
                break
    return banker, level, asked


@kernel(i64(arr, arr, arr2, i64, arr, arr))
def outcomes(openers, lowest, most, top, bankers, levels):
    """Who becomes banker, and at which level: int64[n], filled in.

    openers: int64[n], who opens and must bid; lowest: int64[n], at which level; most: int64[n, 3], how high each seat
    goes, -1 for not at all; top: the highest level.
    """
    for i in range(openers.shape[0]):
        bankers[i], levels[i], _ = _bid(openers[i], lowest[i], top, most[i], -1, -1)
    return openers.shape[0]


@kernel(i64(arr, arr, arr2, arr2, arr2, arr2))
def values(openers, lowest, most, shares, worth, asked):
    """What a seat wins, for every level it might go up to, with the others going up to theirs.

    shares: int64[n * 3, levels], what each defender pays when a seat is banker at a level, rows by deal and seat;
    worth: int64[n * 3, levels + 1], filled in: for going up to level -1, 0, 1 ..; asked: int64[n * 3, levels], filled
    in: 1 where a seat that goes up to the level below is asked for this one.
    """
    count = shares.shape[1]
    for i in range(openers.shape[0]):
        for seat in range(3):
            row = i * 3 + seat
            for own in range(-1, count):
                banker, level, at = _bid(openers[i], lowest[i], count - 1, most[i], seat, own)
                share = shares[i * 3 + banker, level]
                worth[row, own + 1] = 2 * share if banker == seat else -share
                if own + 1 < count:
                    asked[row, own + 1] = 1 if at == own + 1 else 0
    return openers.shape[0]
