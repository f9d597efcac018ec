/// The symbols of directions. `SymbolTable` describes the format.
let arrowSymbols = """
    chevron.right: l M8.4 4.4 L16 12 L8.4 19.6
    chevron.left = chevron.right mirror
    chevron.up = chevron.right turn -90
    chevron.down = chevron.right turn 90
    chevron.forward = chevron.right
    chevron.backward = chevron.left
    chevron.right.2: l M5 4.8 L12.2 12 L5 19.2 M12.4 4.8 L19.6 12 L12.4 19.2
    chevron.left.2 = chevron.right.2 mirror
    chevron.forward.2 = chevron.right.2
    chevron.backward.2 = chevron.left.2
    chevron.up.2 = chevron.right.2 turn -90
    chevron.down.2 = chevron.right.2 turn 90
    chevron.compact.right: l M9.6 4 L14.4 12 L9.6 20
    chevron.compact.left = chevron.compact.right mirror
    chevron.compact.up = chevron.compact.right turn -90
    chevron.compact.down = chevron.compact.right turn 90
    chevron.up.chevron.down: l M6.6 8.8 L12 3.4 L17.4 8.8 M6.6 15.2 L12 20.6 L17.4 15.2
    chevron.left.forwardslash.chevron.right: l M6.8 6.6 L2.9 12 L6.8 17.4 M17.2 6.6 L21.1 12 L17.2 17.4 M14 4.4 L10 19.6
    arrow.right: l M3.4 12 H20.2; l K20.6 12 0 8
    arrow.left = arrow.right mirror
    arrow.up = arrow.right turn -90
    arrow.down = arrow.right turn 90
    arrow.forward = arrow.right
    arrow.backward = arrow.left
    arrow.up.right: l M5.6 18.4 L18 6; l M8.6 5.6 H18.4 V15.4
    arrow.up.left = arrow.up.right mirror
    arrow.down.right = arrow.up.right turn 90
    arrow.down.left = arrow.up.right turn 180
    arrow.up.forward = arrow.up.right
    arrow.up.backward = arrow.up.left
    arrow.down.forward = arrow.down.right
    arrow.down.backward = arrow.down.left
    arrow.up.arrow.down: l M7.4 20 V4.4 M16.6 4 V19.6; l K7.4 4 -90 5.6; l K16.6 20 90 5.6
    arrow.left.arrow.right = arrow.up.arrow.down turn 90
    arrow.up.and.down: l M12 3.6 V20.4; l K12 3.2 -90 6; l K12 20.8 90 6
    arrow.left.and.right = arrow.up.and.down turn 90
    arrow.up.and.down.and.arrow.left.and.right: l M12 3.6 V20.4 M3.6 12 H20.4; l K12 3 -90 4; l K12 21 90 4; l K3 12 180 4; l K21 12 0 4
    arrow.up.left.and.arrow.down.right: l M4.6 4.6 L10.4 10.4 M19.4 19.4 L13.6 13.6; l M4 10.4 V4 H10.4 M20 13.6 V20 H13.6
    arrow.down.right.and.arrow.up.left: l M3.6 3.6 L9.8 9.8 M20.4 20.4 L14.2 14.2; l M3.8 10 H10 V3.8 M20.2 14 H14 V20.2
    arrow.up.right.and.arrow.down.left = arrow.up.left.and.arrow.down.right mirror
    arrow.down.left.and.arrow.up.right = arrow.down.right.and.arrow.up.left mirror
    arrow.up.backward.and.arrow.down.forward = arrow.up.left.and.arrow.down.right
    arrow.down.forward.and.arrow.up.backward = arrow.down.right.and.arrow.up.left
    arrow.up.forward.and.arrow.down.backward = arrow.up.right.and.arrow.down.left
    arrow.down.backward.and.arrow.up.forward = arrow.down.left.and.arrow.up.right
    arrow.clockwise: l A12 12.6 8.2 30 326; l K19.2 8.4 56 4.8
    arrow.counterclockwise = arrow.clockwise mirror
    arrow.trianglehead.clockwise: l A12 12.6 8 8 292; s0.6 W19.4 7.4 30 5 3.1
    arrow.trianglehead.counterclockwise = arrow.trianglehead.clockwise mirror
    _halfpath: l A12 12 8.4 190 306; s0.6 W20.6 8.4 46 4.8 3
    arrow.triangle.2.circlepath: @_halfpath; @_halfpath turn 180
    arrow.2.circlepath: l A12 12 8.6 190 322 M20.6 3.6 V8.8 H15.4; l A12 12 8.6 10 142 M3.4 20.4 V15.2 H8.6
    arrow.trianglehead.2.clockwise = arrow.triangle.2.circlepath
    arrow.uturn.backward: l M4 8.6 H14.6 Q20 8.6 20 13.8 Q20 19 14.6 19 H9.6; l K3.6 8.6 180 6
    arrow.uturn.forward = arrow.uturn.backward mirror
    arrow.uturn.left = arrow.uturn.backward
    arrow.uturn.right = arrow.uturn.forward
    arrow.uturn.down: l M8.6 20 V9.4 Q8.6 4 13.8 4 Q19 4 19 9.4 V14.4; l K8.6 20.4 90 6
    arrow.uturn.up = arrow.uturn.down turn 180
    arrow.turn.up.right: l M4.4 20 V13.4 Q4.4 9 8.8 9 H19.6; l K20.4 9 0 6.4
    arrow.turn.up.left = arrow.turn.up.right mirror
    arrow.turn.down.right: l M4.4 4 V10.6 Q4.4 15 8.8 15 H19.6; l K20.4 15 0 6.4
    arrow.turn.down.left = arrow.turn.down.right mirror
    arrow.right.to.line: l M3 12 H16; l K16.4 12 0 6.6; l M20.8 5 V19
    arrow.left.to.line = arrow.right.to.line mirror
    arrow.down.to.line = arrow.right.to.line turn 90
    arrow.up.to.line = arrow.right.to.line turn -90
    arrow.forward.to.line = arrow.right.to.line
    arrow.backward.to.line = arrow.left.to.line
    arrow.triangle.branch: l O6 5.6 2.4 O6 18.4 2.4 O18 7.6 2.4; l M6 8 V16 M18 10 C18 14 6 12.6 6 16
    arrow.triangle.swap: l M4 9 H16 M20 15 H8; s0.6 W20.8 9 0 4.8 3; s0.6 W3.2 15 180 4.8 3
    arrowtriangle.right: a M6.6 5 L18.6 12 L6.6 19 Z
    arrowtriangle.left = arrowtriangle.right mirror
    arrowtriangle.up = arrowtriangle.right turn -90
    arrowtriangle.down = arrowtriangle.right turn 90
    arrowtriangle.forward = arrowtriangle.right
    arrowtriangle.backward = arrowtriangle.left
    arrowshape.right: a M3 9 H11.8 V4.6 L21 12 L11.8 19.4 V15 H3 Z
    arrowshape.left = arrowshape.right mirror
    arrowshape.up = arrowshape.right turn -90
    arrowshape.down = arrowshape.right turn 90
    arrowshape.forward = arrowshape.right
    arrowshape.backward = arrowshape.left
    arrowshape.turn.up.right: a M13 4.2 L21.2 11.2 L13 18 V14.2 C8.6 14 5.4 15.6 2.9 19.8 C3 13.2 6.6 8.6 13 8.2 Z
    arrowshape.turn.up.left = arrowshape.turn.up.right mirror
    arrowshape.turn.up.forward = arrowshape.turn.up.right
    arrowshape.turn.up.backward = arrowshape.turn.up.left
    arrowshape.turn.up.left.2: @arrowshape.turn.up.left 14.2 12.4 0.76; l M7 5.6 L2.8 10.6 L6.6 14.6
    arrowshape.turn.up.right.2 = arrowshape.turn.up.left.2 mirror
    square.and.arrow.up: a M8.6 9 H6.8 Q4.6 9 4.6 11.2 V18.8 Q4.6 21 6.8 21 H17.2 Q19.4 21 19.4 18.8 V11.2 Q19.4 9 17.2 9 H15.4; l M12 3.4 V7; d M12 8.4 V14.6; l K12 2.9 -90 5
    square.and.arrow.down: a M8.6 8.6 H6.8 Q4.6 8.6 4.6 10.8 V18.8 Q4.6 21 6.8 21 H17.2 Q19.4 21 19.4 18.8 V10.8 Q19.4 8.6 17.2 8.6 H15.4; l M12 2.9 V7; d M12 8.4 V15.4; d K12 16 90 4.6
    square.and.arrow.down.on.square: l M8.6 6 H6 Q3 6 3 9 V13.6 Q3 16.6 6 16.6 M11 11 H10 Q7.6 11 7.6 13.4 V18.6 Q7.6 21 10 21 H18.4 Q20.8 21 20.8 18.6 V13.4 Q20.8 11 18.4 11 H17.4; l M14.2 2.9 V15.6; l K14.2 16.2 90 4.4
    rectangle.portrait.and.arrow.right: l M12.6 8.4 V5.2 Q12.6 2.9 10.3 2.9 H6.3 Q4 2.9 4 5.2 V18.8 Q4 21.1 6.3 21.1 H10.3 Q12.6 21.1 12.6 18.8 V15.6; l M8.4 12 H20.4; l K21 12 0 4.6
    rectangle.portrait.and.arrow.forward = rectangle.portrait.and.arrow.right
    square.and.arrow.up.on.square: l M8.6 6.4 H6 Q3 6.4 3 9.4 V14 Q3 17 6 17 M11 11.4 H10 Q7.6 11.4 7.6 13.8 V18.6 Q7.6 21 10 21 H18.4 Q20.8 21 20.8 18.6 V13.8 Q20.8 11.4 18.4 11.4 H17.4; l M14.2 3.4 V15.4; l K14.2 2.9 -90 4.4
    tray.and.arrow.down: a M3 14.4 V18.4 Q3 20.8 5.4 20.8 H18.6 Q21 20.8 21 18.4 V14.4; d M3.4 14.4 H7.4 Q7.8 17.2 10 17.2 H14 Q16.2 17.2 16.6 14.4 H20.6; l M12 2.9 V12; l K12 12.6 90 4.8
    tray.and.arrow.up: a M3 14.4 V18.4 Q3 20.8 5.4 20.8 H18.6 Q21 20.8 21 18.4 V14.4; d M3.4 14.4 H7.4 Q7.8 17.2 10 17.2 H14 Q16.2 17.2 16.6 14.4 H20.6; l M12 3.6 V12.6; l K12 3 -90 4.8
    icloud.and.arrow.down: a M7.4 16 C4.6 16 2.8 14.2 2.8 11.8 C2.8 9.6 4.4 8 6.4 7.7 C7.2 5 9.4 3.4 12 3.4 C15 3.4 17.4 5.6 17.8 8.4 C19.8 8.6 21.2 10.2 21.2 12.2 C21.2 14.4 19.6 16 17.4 16; g M12 10.4 V20; l M12 10.4 V20; l K12 20.6 90 4.6
    icloud.and.arrow.up: a M7.4 16 C4.6 16 2.8 14.2 2.8 11.8 C2.8 9.6 4.4 8 6.4 7.7 C7.2 5 9.4 3.4 12 3.4 C15 3.4 17.4 5.6 17.8 8.4 C19.8 8.6 21.2 10.2 21.2 12.2 C21.2 14.4 19.6 16 17.4 16; g M12 11 V20; l M12 11 V20.8; l K12 10.4 -90 4.6
    rectangle.expand.vertical: a R3 9.6 18 4.8 1.2; l M12 6.4 V3.4 M12 17.6 V20.6; l K12 3 -90 3.6; l K12 21 90 3.6
    rectangle.compress.vertical: a R3 9.6 18 4.8 1.2; l M12 2.8 V6 M12 21.2 V18; l K12 6.4 90 3.6; l K12 17.6 -90 3.6
    rotate.right: a R3 10.4 10.6 10.6 1.6; l A11.6 11.6 6.8 -90 6; l K18.4 12.8 90 3.8
    rotate.left = rotate.right mirror
    cursorarrow: a M5.4 3.4 L18.8 13 L12.8 13.8 L9.6 19.4 Z
    """
