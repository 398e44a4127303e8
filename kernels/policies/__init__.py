"""How seats decide.

A policy is one kernel of the signature ``_jit.DECIDE``::

    decide(what, pub, own, lay, weights) -> int

``what`` is one of the questions of ``view`` (CALL, BID_TURN, LEAD ...), ``pub`` and ``own`` are what the seat may
know, ``lay`` the layout with the rules, ``weights`` the policy's own numbers. Cards are answered in own[OUT],
own[OUT_1] and own[OUT_2].
Answers must be legal: the engine does not check plays. The engine calls a policy through its address, so a policy
compiles by itself and is only loaded by runs that use it.

A policy module may also have its own ``play`` (``_jit.player``): ``play.play_tricks`` with the policy built in, for
deals in which every seat and role decides by it and by the same weights. Otherwise ``mixed.play`` plays.
"""
