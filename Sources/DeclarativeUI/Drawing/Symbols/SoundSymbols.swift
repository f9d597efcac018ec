/// The symbols of audio and music. `SymbolTable` describes the format.
let soundSymbols = """
    _speaker: a M2.9 9.4 H6.4 L11.2 5.2 V18.8 L6.4 14.6 H2.9 Z
    speaker: @_speaker 16.6 12 1
    speaker.wave.1: @_speaker; l A11 12 4.4 -44 44
    speaker.wave.2: @speaker.wave.1; l A11 12 7.3 -46 46
    speaker.wave.3: @speaker.wave.2; l A11 12 10.2 -48 48
    speaker.slash: @speaker.wave.2 12.4 12 1; g M3.6 3.6 L20.4 20.4; l M3.6 3.6 L20.4 20.4
    speaker.plus: @_speaker; l M17.8 9 V15 M14.8 12 H20.8
    speaker.minus: @_speaker; l M14.8 12 H20.8
    speaker.zzz: @_speaker; l0.85 M15 9.4 H20 L15 15 H20
    mic: a R8.4 2.8 7.2 11.6 3.6; l A12 11.2 7 0 180; l M12 18.2 V21.2 M8.2 21.2 H15.8
    music.mic: a O16 8 4.8; a M12.2 9.8 L3.4 19 L5 20.6 L14.2 11.8; d M14 4.6 L19.4 10
    headphones: l A12 13 9 180 360; a R3 13 4.2 7.6 1.8; a R16.8 13 4.2 7.6 1.8
    earbuds: a O6.4 8 3.4; l M7.6 11 V19.6; a O17.6 8 3.4; l M16.4 11 V19.6
    hifispeaker: a R5.6 2.8 12.8 18.4 2; d O12 15 3.2; m O12 7.3 1.5
    hifispeaker.2: a R2.9 4 8 16 1.4 R13.1 4 8 16 1.4; d O6.9 14.6 1.9 O17.1 14.6 1.9; m O6.9 8 1 O17.1 8 1
    airpods: a O6.8 7.6 3.6; a O17.2 7.6 3.6; l M9 10.4 V20 M15 10.4 V20
    airpodspro = airpods
    homepod: a R4.6 4.4 14.8 15.6 5.6; d M9 7.6 H15
    music.note: s0.5 E8.6 18 3 2.4; l M11.6 18 V3.6 C12 7 17.4 7.6 17.4 12.4
    music.note.list: l M3 5.4 H12.4 M3 10.2 H9.4 M3 15 H7; s0.5 E13.4 18.4 2.5 2; l M15.9 18.4 V7 C16.2 9.6 20.6 10 20.6 13.6
    music.quarternote.3: s0.5 E5 18.6 2 1.7 E11.6 15 2 1.7 E18.2 11.4 2 1.7; l M7 18.6 V9.6 M13.6 15 V6 M20.2 11.4 V2.9
    music.note.house: l M2.9 11.4 L12 3.4 L21.1 11.4; l M5.2 10.2 V20.6 H18.8 V10.2; s0.4 E10.6 17.2 1.7 1.4; l0.8 M12.3 17.2 V9.8 C12.5 11.6 15 12 15 14
    waveform: l M3 10.6 V13.4 M7.5 7 V17 M12 3.4 V20.6 M16.5 7.4 V16.6 M21 10.6 V13.4
    waveform.path: l M2.9 12 H5.6 L8.4 5.6 L12 18.4 L15.2 8 L17.4 12 H21.1
    waveform.path.ecg: l M2.9 13 H7.6 L9.4 9.8 L12 19.4 L14.8 4.6 L17 13 H21.1
    metronome: a M9 3.4 H15 L19 20.6 H5 Z; d M12 16.4 L17.4 7.4; d M6.4 16.4 H17.6
    pianokeys: a R2.9 5 18.2 14 1.6; d M9 13 V18.6 M15 13 V18.6; m R7.4 5.4 3.2 7.6 0.4 R13.4 5.4 3.2 7.6 0.4
    tuningfork: l M8.4 3 V9 Q8.4 13 12 13 Q15.6 13 15.6 9 V3 M12 13 V21.2
    guitars: l M14 10 L20.6 3.4; a O8.4 15.6 5.4; m O9.4 14.6 1.5
    ear: a M7.4 9.6 C7.4 5.6 9.6 3 12.8 3 C16 3 18.2 5.6 18.2 8.8 C18.2 13 14.6 13.8 14.2 17.2 C13.9 19.6 12.4 21 10.6 21 C8.6 21 7.4 19.4 7.4 17.4 Z; d M10.4 10 C10.4 7.6 11.4 6.4 12.8 6.4 C14.2 6.4 15.2 7.6 15.2 9 C15.2 11.4 12.4 11.4 12 14.4
    """
