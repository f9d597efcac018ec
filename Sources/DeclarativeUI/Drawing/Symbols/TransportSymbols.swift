/// The symbols of playback: play, step and repeat. `SymbolTable` describes the format.
let transportSymbols = """
    play: a M7.4 4.6 L19.4 12 L7.4 19.4 Z
    pause: a R5.4 4.6 4.2 14.8 0.8; a R14.4 4.6 4.2 14.8 0.8
    stop: a R5.2 5.2 13.6 13.6 1.6
    record: s O12 12 7
    eject: a M12 4 L20 13.6 H4 Z; l M4.4 19 H19.6
    playpause: a M3 5.8 L11.6 12 L3 18.2 Z; l M16 5.8 V18.2 M20.8 5.8 V18.2
    forward: a M3 6.2 L11.2 12 L3 17.8 Z; a M12.6 6.2 L20.8 12 L12.6 17.8 Z
    backward = forward mirror
    forward.end: a M4.6 5.4 L15.2 12 L4.6 18.6 Z; l M19.4 5.4 V18.6
    backward.end = forward.end mirror
    forward.end.alt: a M2.8 6.8 L9.4 12 L2.8 17.2 Z; a M11 6.8 L17.6 12 L11 17.2 Z; l M21.2 6.8 V17.2
    backward.end.alt = forward.end.alt mirror
    forward.frame: l M4.6 5.4 V18.6; a M9.4 5.4 L20 12 L9.4 18.6 Z
    backward.frame = forward.frame mirror
    goforward: l A12 13 8 -38 270; s0.6 W16.2 5 0 4.8 3.1
    gobackward = goforward mirror
    goforward.plus: @goforward; l0.85 M12 10 V16 M9 13 H15
    gobackward.minus: @gobackward; l0.85 M9 13 H15
    repeat: l M3.4 11.6 V10.6 Q3.4 7 7 7 H20.4 M20.6 12.4 V13.4 Q20.6 17 17 17 H3.6; l K20.8 7 0 4; l K3.2 17 180 4
    repeat.1: @repeat; l0.85 M11 10.9 L12.4 10 V14.4
    shuffle: l M3 7 H6 C11 7 12 17 17 17 H20.4; l M3 17 H6 C8 17 9.4 15.4 10.5 13.6 M13.3 9.8 C14.3 8.3 15.5 7 17 7 H20.4; l K20.8 7 0 3.8; l K20.8 17 0 3.8
    infinity: l M12 12 C9.6 8.6 8.5 7.6 6.6 7.6 C4.2 7.6 2.7 9.6 2.7 12 C2.7 14.4 4.2 16.4 6.6 16.4 C8.5 16.4 9.6 15.4 12 12 C14.4 8.6 15.5 7.6 17.4 7.6 C19.8 7.6 21.3 9.6 21.3 12 C21.3 14.4 19.8 16.4 17.4 16.4 C15.5 16.4 14.4 15.4 12 12 Z
    slowmo: l0.9 O12 12 9; l M12 3 V5.4 M12 18.6 V21 M3 12 H5.4 M18.6 12 H21; l O12 12 3
    # The hare for fast and the tortoise for slow.
    hare: a M3 19.2 C2.8 14.6 5.8 11.8 10 11.8 C12.4 11.8 13.4 11.2 14 10 C14.9 8.3 16.5 7.6 18.2 8.4 C20 9.2 21.2 10.8 20.9 12 C20.6 13 18.8 13 17.8 13.4 C17 14 17.2 16.4 17.8 19.2 Z; a M14.6 8.6 C12 7.4 10 5.4 10 3.2 C12.6 3.2 15.2 5 16.6 7.8 Z; d M8.6 19 C8.6 16.6 10.4 15.4 12.6 15.8
    tortoise: a M3.2 15.6 C3.2 10.2 6.6 6.4 10.6 6.4 C14.6 6.4 17.6 10.2 17.6 15.6 Z; a M17.2 12.2 C18 10.2 21.2 10.4 21.2 13 C21.2 15 19.8 15.6 17.6 15.6; l M6 15.6 V18.6 H8.6 V16 M12.4 16 V18.6 H15 V15.6; d M7.4 15.2 C7.4 12 8.6 10.2 10.6 9.6 C12.4 10.2 13.6 12 13.6 15.2
    """
