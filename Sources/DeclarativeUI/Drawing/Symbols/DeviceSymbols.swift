/// The symbols of devices, networks and power. `SymbolTable` describes the format.
let deviceSymbols = """
    display: a R2.9 3.6 18.2 12.6 2; l M12 16.6 V20.4 M8 20.6 H16
    display.2: a R2.9 6.4 11.6 9 1.6; l M8.7 15.8 V19 M6 19.4 H11.4; l M9.4 3 H19.2 Q21.1 3 21.1 4.9 V10.4 Q21.1 12.2 19.2 12.2 H17.8
    desktopcomputer: a R2.9 3.6 18.2 12.6 2; d M3.2 12.6 H20.8; l M12 16.6 V20.4 M8 20.6 H16
    laptopcomputer: a R4.6 4.6 14.8 11.2 1.8; l M2.6 19.4 H21.4
    pc: a R6 2.9 12 18.2 1.8; d M9.4 6.6 H14.6 M9.4 10 H14.6; m O12 16.8 1.4
    iphone: a R6.4 2.7 11.2 18.6 2.6; d M10.8 5.6 H13.2
    iphone.landscape = iphone turn 90
    ipad: a R4.2 2.9 15.6 18.2 2.2; d M10.4 18 H13.6
    ipad.landscape = ipad turn 90
    applewatch: a R6.4 6.4 11.2 11.2 2.8; l M9 6 L9.4 2.9 H14.6 L15 6 M9 18 L9.4 21.1 H14.6 L15 18
    appletv: a R2.9 8 18.2 9.6 2; d M6.6 12.8 H9
    appletvremote.gen1: a R8.4 2.7 7.2 18.6 2.4; d O12 7.2 1.8; m O12 12.4 1 O12 15.8 1
    appletvremote.gen2: a R7.6 2.7 8.8 18.6 2.8; d M8 9.8 H16; m O10.2 12.6 1.1 O13.8 12.6 1.1 O10.2 16 1.1; d M13.8 15.4 V18
    appletvremote.gen3 = appletvremote.gen4
    appletvremote.gen4: a R7.6 2.7 8.8 18.6 2.8; d O12 7.6 2.2; m O12 13 1.2 O12 16.6 1.2
    av.remote: a R7.2 2.7 9.6 18.6 2.2; m O12 6.6 1.6; d M10.4 11 H10.6 M13.4 11 H13.6 M10.4 14.2 H10.6 M13.4 14.2 H13.6 M10.4 17.4 H10.6 M13.4 17.4 H13.6
    server.rack: a R3 3.4 18 3.6 1 R3 10.2 18 3.6 1 R3 17 18 3.6 1; m O6 5.2 0.9 O6 12 0.9 O6 18.8 0.9; d0.8 M14 5.2 H18 M14 12 H18 M14 18.8 H18
    externaldrive: a R2.9 11.6 18.2 7.4 1.8; l M3.6 11.2 L6 5.6 Q6.4 4.8 7.4 4.8 H16.6 Q17.6 4.8 18 5.6 L20.4 11.2; m O17 15.3 1.2
    internaldrive: a R2.9 6 18.2 12 2; d M6.4 14.6 H13; m O17.2 14.6 1.2
    opticaldisc: a O12 12 9; d O12 12 2.6
    cpu: a R6 6 12 12 1.6; d R9.6 9.6 4.8 4.8 0.4; l M9 3 V5.6 M15 3 V5.6 M9 18.4 V21 M15 18.4 V21 M3 9 H5.6 M3 15 H5.6 M18.4 9 H21 M18.4 15 H21
    memorychip: a R2.9 7 18.2 9 1.2; d M7 9.8 V13 M12 9.8 V13 M17 9.8 V13; l M6 16.4 V19.4 M10 16.4 V19.4 M14 16.4 V19.4 M18 16.4 V19.4
    keyboard: a R2.4 6 19.2 12 2; m R5.2 8.6 2 2 0.3 R9 8.6 2 2 0.3 R12.8 8.6 2 2 0.3 R16.6 8.6 2 2 0.3 R7.4 13.2 9.2 2 0.3
    printer: a R2.9 8.6 18.2 8.6 1.8; l M6.6 8.2 V3.4 H17.4 V8.2; g R7 14 10 6.6 0.4; l R7 13.6 10 7.2 0.6
    scanner: a R2.9 12 18.2 7.6 1.6; l M5 11.6 L18.6 4.4; d M6.6 15.8 H11
    phone: a M7 3.2 L10 8 L8 10.2 C9 13 11 15 13.8 16 L16 14 L20.8 17 C20.8 19.6 19 21 16.6 20.8 C9.4 20 4 14.6 3.2 7.4 C3 5 4.4 3.2 7 3.2 Z
    phone.down: @phone 12 11 0.9 turn 135
    command: l M9 9 H15 V15 H9 Z M9 9 V6.2 A6.2 6.2 2.8 0 -270 M9 9 H6.2 M15 9 H17.8 A17.8 6.2 2.8 90 -180 M15 9 V6.2 M15 15 V17.8 A17.8 17.8 2.8 180 -90 M15 15 H17.8 M9 15 H6.2 A6.2 17.8 2.8 -90 -360 M9 15 V17.8
    option: l M3 5.4 H8.4 L15.6 18.6 H21 M14.4 5.4 H21
    control: l M5 13 L12 6 L19 13
    shift: a M12 3.4 L20.8 12.6 H16.2 V20.4 H7.8 V12.6 H3.2 Z
    escape: l A12 13 7.8 -50 -5 A12 13 7.8 0 200; l M12 13 L4.4 5.4 M4 10.6 V5 H9.6
    return: l M20 5 V10 Q20 14 16 14 H4.4; l K4 14 180 6
    delete.left: a M8.6 5 H19 Q21.1 5 21.1 7.1 V16.9 Q21.1 19 19 19 H8.6 L2.8 12 Z; d M11.4 9 L17 15 M17 9 L11.4 15
    power: l A12 13 8 -55 235; l M12 2.9 V11.6
    bolt: a M13.6 2.9 L5 13.6 H11.2 L10 21.1 L19 10 H12.6 Z
    powerplug: a M5.6 9 H18.4 V11 C18.4 14.6 15.6 17 12 17 C8.4 17 5.6 14.6 5.6 11 Z; l M9 3 V8.6 M15 3 V8.6 M12 17.4 V21.2
    _cell: l R2.4 7 16.8 10 2.4; s0.4 R21 10.2 0.8 3.6 0.4
    battery.0percent: @_cell
    battery.0 = battery.0percent
    battery.25percent: @_cell; s R5 9.6 2.9 4.8 0.5
    battery.25 = battery.25percent
    battery.50percent: @_cell; s R5 9.6 5.8 4.8 0.5
    battery.50 = battery.50percent
    battery.75percent: @_cell; s R5 9.6 8.7 4.8 0.5
    battery.75 = battery.75percent
    battery.100percent: @_cell; s R5 9.6 11.6 4.8 0.5
    battery.100 = battery.100percent
    battery.100percent.bolt: @_cell; s R5 9.6 11.6 4.8 0.5; g M12.6 5 L7.4 12.8 H10.6 L9.4 19 L15 10.8 H11.6 Z; s0.4 M12.6 5 L7.4 12.8 H10.6 L9.4 19 L15 10.8 H11.6 Z
    battery.100.bolt = battery.100percent.bolt
    wifi: s O12 18.6 2; l A12 18.6 5.8 -135 -45 A12 18.6 10.2 -135 -45 A12 18.6 14.6 -133 -47
    wifi.exclamationmark: @wifi; g R17.8 11.6 1.4 9.4 0.7; l M18.5 11.4 V16.4; s O18.5 20.2 1.4
    wifi.router: a R2.9 13.6 18.2 6.6 1.6; l M12 13.2 V9.4 M8.4 7.6 Q12 4 15.6 7.6 M5.8 4.8 Q12 -0.8 18.2 4.8; m O6.6 16.9 1.1 O10.2 16.9 1.1
    cellularbars: s R3 15 3.2 5.4 0.7 R8 11.4 3.2 9 0.7 R13 7.6 3.2 12.8 0.7 R18 3.6 3.2 16.8 0.7
    antenna.radiowaves.left.and.right: s O12 9.6 2; l M12 10 V21 M8 21 H16; l A12 9.6 4.8 -45 45 A12 9.6 8.4 -45 45 A12 9.6 4.8 135 225 A12 9.6 8.4 135 225
    dot.radiowaves.left.and.right: s O12 12 2.2; l A12 12 5.6 -45 45 A12 12 9.4 -45 45 A12 12 5.6 135 225 A12 12 9.4 135 225
    dot.radiowaves.right: s O5 12 2.2; l A5 12 6 -45 45 A5 12 10.4 -45 45 A5 12 14.8 -45 45
    dot.radiowaves.forward = dot.radiowaves.right
    dot.radiowaves.up.forward: s O5.4 18.6 2.2; l A5.4 18.6 6.4 -90 0 A5.4 18.6 10.8 -90 0 A5.4 18.6 15.2 -90 0
    wave.3.right: l A2 12 5 -42 42 A2 12 10.4 -42 42 A2 12 15.8 -39 39
    personalhotspot: l A9.4 14.6 5.6 -60 180 M15 14.6 H15; l A14.6 9.4 5.6 120 360
    network: l O12 12 9; l M12 3 V21 M3 12 H21 M5.4 6.6 Q12 10 18.6 6.6 M5.4 17.4 Q12 14 18.6 17.4
    globe: l O12 12 9; l E12 12 4 9; l M3 12 H21
    icloud: a M7 19 C4.4 19 2.6 17.2 2.6 14.8 C2.6 12.6 4.2 11 6.2 10.7 C6.8 7.4 9.2 5.2 12.2 5.2 C15.4 5.2 17.8 7.6 18.2 10.6 C20 11 21.4 12.6 21.4 14.8 C21.4 17.2 19.6 19 17.2 19 Z
    cable.connector: l M12 2.9 V8; a R8 8 8 7 1.4; l M10 15.4 V18 H14 V15.4 M12 18.4 V21.2
    qrcode: l R3 3 7 7 0.8 R14 3 7 7 0.8 R3 14 7 7 0.8; s R5.6 5.6 1.8 1.8 0 R16.6 5.6 1.8 1.8 0 R5.6 16.6 1.8 1.8 0 R14 14 2.6 2.6 0 R18.4 14 2.6 2.6 0 R16.2 16.6 2.4 2.4 0 R14 18.8 2.4 2.4 0 R18.6 18.6 2.6 2.6 0
    barcode: l M3.4 5 V19 M7 5 V19 M20.6 5 V19; l1.7 M11.4 5 V19; l M15 5 V19; l0.7 M18 5 V19
    touchid: l A12 13 2.6 180 360 M14.6 13 V16 M9.4 13 V18.4; l A12 12.4 6 150 380; l A12 12 9 190 330
    faceid: @viewfinder; l M8 8.6 V10.2 M16 8.6 V10.2 M12.4 8.6 V13 H11.2 M8.4 15.6 Q12 18.2 15.6 15.6
    """
