/// The symbols of clocks and gauges. `SymbolTable` describes the format.
let timeSymbols = """
    clock: a O12 12 9; d M12 6.6 V12 L15.8 14.2
    clock.arrow.circlepath: @arrow.counterclockwise; l M12 7.8 V12.6 L15.2 14.4
    alarm: a O12 12.8 7.2; d M12 8.8 V12.8 L14.6 14.4; l M3 7.2 L6.6 3.8 M21 7.2 L17.4 3.8 M6.6 18.6 L4.8 20.8 M17.4 18.6 L19.2 20.8
    timer: l A12 12.6 8.4 -66 246; l M12 4.2 V8; l M12 12.6 L8.2 8.8; s O12 12.6 1.7
    stopwatch: a O12 13.6 7.6; d M12 9.4 V13.6; l M9.4 2.9 H14.6 M12 2.9 V6 M18.2 6.4 L19.8 4.8
    hourglass: a M6.4 3 H17.6 V5.2 C17.6 8.6 14 10 14 12 C14 14 17.6 15.4 17.6 18.8 V21 H6.4 V18.8 C6.4 15.4 10 14 10 12 C10 10 6.4 8.6 6.4 5.2 Z; m M8.6 20 C8.8 17.6 10.8 16.8 12 15.6 C13.2 16.8 15.2 17.6 15.4 20 Z
    calendar: a R3 4.8 18 15.8 2.2; d M3.4 9.8 H20.6; l M8 2.8 V6.4 M16 2.8 V6.4; m R6.6 12 2.4 2 0.4 R10.8 12 2.4 2 0.4 R15 12 2.4 2 0.4 R6.6 15.8 2.4 2 0.4 R10.8 15.8 2.4 2 0.4
    _gauge: a O12 12 9; m O12 13 1.7
    gauge.low: @_gauge; d M12 13 L7.6 10.6
    gauge.medium: @_gauge; d M12 13 V7.4
    gauge.high: @_gauge; d M12 13 L16.4 10.6
    gauge = gauge.medium
    gauge.with.needle: a O12 12 9; d M12 13.4 L15.4 7.4; m O12 13.4 2
    _dots: m O6.9 14.6 1 O6.4 10.6 1 O8.6 7.4 1 O12 6.2 1 O15.4 7.4 1 O17.6 10.6 1 O17.1 14.6 1
    gauge.with.dots.needle.bottom.0percent: @_dotted; d M12 13 L7.2 14.4; m O12 13 1.7
    _dotted: a O12 12 9; @_dots
    gauge.with.dots.needle.0percent = gauge.with.dots.needle.bottom.0percent
    gauge.with.dots.needle.33percent: @_dotted; d M12 13 L9.4 9; m O12 13 1.7
    gauge.with.dots.needle.50percent: @_dotted; d M12 13 V8.6; m O12 13 1.7
    gauge.with.dots.needle.67percent: @_dotted; d M12 13 L14.6 9; m O12 13 1.7
    gauge.with.dots.needle.100percent: @_dotted; d M12 13 L16.8 14.4; m O12 13 1.7
    gauge.with.dots.needle.bottom.50percent = gauge.with.dots.needle.50percent
    gauge.with.dots.needle.bottom.100percent = gauge.with.dots.needle.100percent
    speedometer: l A12 14 9 160 380; l M12 14 L16 8.4; s O12 14 2; l M6 13 H6.4 M8.2 9.2 L8.4 9.4 M17.6 13 H18
    timelapse: l O12 12 9; s A12 12 5.6 -90 150 L12 12 Z
    """
