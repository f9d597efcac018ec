/// The symbols of plain shapes, grids and stacks. `SymbolTable` describes the format.
let shapeSymbols = """
    circle: a O12 12 9
    square: a R3.2 3.2 17.6 17.6 2.8
    rectangle: a R2.9 5 18.2 14 2.4
    rectangle.portrait: a R5 2.9 14 18.2 2.4
    triangle: a M12 3.6 L21 19.8 H3 Z
    diamond: a M12 2.9 L21.1 12 L12 21.1 L2.9 12 Z
    hexagon: a G12 12 9.4 6 0
    octagon: a G12 12 9.4 8 22.5
    pentagon: a G12 12.6 9.4 5 -90
    oval: a E12 12 9.1 6.4
    capsule: a R2.9 7 18.2 10 5
    app: a R3.2 3.2 17.6 17.6 4.6
    seal: a T12 12 9.4 7.6 12
    shield: a M12 2.9 L19.8 5.6 V11.4 C19.8 16.4 16.6 19.6 12 21.2 C7.4 19.6 4.2 16.4 4.2 11.4 V5.6 Z
    circle.circle: a O12 12 9; d O12 12 4.4
    circle.inset.filled: l O12 12 9; s O12 12 5.6
    largecircle.fill.circle = circle.inset.filled
    smallcircle.filled.circle: a O12 12 9; m O12 12 3
    smallcircle.circle: a O12 12 9; d O12 12 3
    dot.circle = smallcircle.filled.circle
    target: l O12 12 9 O12 12 5.2; s O12 12 1.9
    scope: l O12 12 6.4; l M12 2.9 V9 M12 15 V21.1 M2.9 12 H9 M15 12 H21.1
    square.inset.filled: l R3.2 3.2 17.6 17.6 2.8; s R6.6 6.6 10.8 10.8 1
    rectangle.inset.filled: l R2.9 5 18.2 14 2.4; s R6 8.1 12 7.8 0.8
    inset.filled.rectangle = rectangle.inset.filled
    rectangle.inset.bottomright.filled: l R2.9 5 18.2 14 2.4; s R11.4 11 6.8 5 0.8
    circle.dashed: l A12 12 9 -105 -75 A12 12 9 -60 -30 A12 12 9 -15 15 A12 12 9 30 60 A12 12 9 75 105 A12 12 9 120 150 A12 12 9 165 195 A12 12 9 210 240
    square.dashed: l M3.2 8 V6 Q3.2 3.2 6 3.2 H8 M16 3.2 H18 Q20.8 3.2 20.8 6 V8 M20.8 16 V18 Q20.8 20.8 18 20.8 H16 M8 20.8 H6 Q3.2 20.8 3.2 18 V16 M11 3.2 H13 M11 20.8 H13 M3.2 11 V13 M20.8 11 V13
    rectangle.dashed: l M2.9 9 V7.4 Q2.9 5 5.3 5 H7 M17 5 H18.7 Q21.1 5 21.1 7.4 V9 M21.1 15 V16.6 Q21.1 19 18.7 19 H17 M7 19 H5.3 Q2.9 19 2.9 16.6 V15 M10.8 5 H13.2 M10.8 19 H13.2
    square.on.square: l M15.6 3.2 H6 Q3.2 3.2 3.2 6 V15.6; a R8.2 8.2 12.7 12.7 2.4
    square.on.circle: l O9.6 9.6 6.6; g R10.4 10.4 10.4 10.4 2; a R10.4 10.4 10.4 10.4 2
    rectangle.on.rectangle: l M17 4.4 H5.2 Q2.9 4.4 2.9 6.7 V14.6; a R7 8.4 14.1 11.6 2
    square.stack: l M7.4 2.9 H16.6 M5.2 5.9 H18.8; a R3.6 9 16.8 12 2.4
    rectangle.stack: l M7 3.6 H17 M4.8 6.8 H19.2; a R2.9 10 18.2 10.6 2.2
    square.stack.3d.up: a M12 3 L21 8 L12 13 L3 8 Z; l M3.4 12.2 L12 17 L20.6 12.2 M3.4 16.2 L12 21 L20.6 16.2
    square.grid.2x2: a R3.2 3.2 6.8 6.8 1.2 R14 3.2 6.8 6.8 1.2 R3.2 14 6.8 6.8 1.2 R14 14 6.8 6.8 1.2
    square.grid.3x3: a0.8 R3 3 4 4 0.6 R10 3 4 4 0.6 R17 3 4 4 0.6 R3 10 4 4 0.6 R10 10 4 4 0.6 R17 10 4 4 0.6 R3 17 4 4 0.6 R10 17 4 4 0.6 R17 17 4 4 0.6
    square.grid.3x2: a0.8 R3 5.6 4 4 0.6 R10 5.6 4 4 0.6 R17 5.6 4 4 0.6 R3 14.4 4 4 0.6 R10 14.4 4 4 0.6 R17 14.4 4 4 0.6
    circle.grid.2x2: a O6.8 6.8 3.6 O17.2 6.8 3.6 O6.8 17.2 3.6 O17.2 17.2 3.6
    circle.grid.3x3: a0.8 O5 5 2 O12 5 2 O19 5 2 O5 12 2 O12 12 2 O19 12 2 O5 19 2 O12 19 2 O19 19 2
    rectangle.grid.1x2: a R3 4 18 6.4 1.4 R3 13.6 18 6.4 1.4
    rectangle.grid.2x2: a R2.9 4.6 7.8 5.8 1.2 R13.3 4.6 7.8 5.8 1.2 R2.9 13.6 7.8 5.8 1.2 R13.3 13.6 7.8 5.8 1.2
    rectangle.grid.3x2: a0.8 R2.9 5.4 4.6 4.4 0.7 R9.7 5.4 4.6 4.4 0.7 R16.5 5.4 4.6 4.4 0.7 R2.9 14.2 4.6 4.4 0.7 R9.7 14.2 4.6 4.4 0.7 R16.5 14.2 4.6 4.4 0.7
    rectangle.3.group: a R2.9 4.6 9.6 14.8 1.6 R16 4.6 5.1 5.6 1.2 R16 13.8 5.1 5.6 1.2
    square.split.2x1: a R3.2 3.2 17.6 17.6 2.8; d M12 3.6 V20.4
    square.split.1x2: a R3.2 3.2 17.6 17.6 2.8; d M3.6 12 H20.4
    square.split.2x2: a R3.2 3.2 17.6 17.6 2.8; d M12 3.6 V20.4 M3.6 12 H20.4
    rectangle.split.2x1: a R2.9 5 18.2 14 2.4; d M12 5.4 V18.6
    rectangle.split.1x2: a R2.9 5 18.2 14 2.4; d M3.2 12 H20.8
    rectangle.split.3x1: a R2.9 5 18.2 14 2.4; d M9 5.4 V18.6 M15 5.4 V18.6
    rectangle.split.2x2: a R2.9 5 18.2 14 2.4; d M12 5.4 V18.6 M3.2 12 H20.8
    sidebar.left: a R2.9 4.6 18.2 14.8 2.4; d M9.2 5 V19; d0.8 M5.4 8.4 H6.8 M5.4 11.2 H6.8
    sidebar.right = sidebar.left mirror
    sidebar.leading = sidebar.left
    sidebar.trailing = sidebar.right
    sidebar.squares.left: a R2.9 4.6 18.2 14.8 2.4; d M10 5 V19; m R5.2 7.4 2.4 2.4 0.3 R5.2 11.6 2.4 2.4 0.3
    macwindow: a R2.9 4.2 18.2 15.6 2.4; d M3.2 8.8 H20.8; m O6 6.5 0.9 O8.8 6.5 0.9
    cube: a M12 2.9 L20 7.4 V16.6 L12 21.1 L4 16.6 V7.4 Z; d M4.4 7.6 L12 12 L19.6 7.6 M12 12 V20.6
    line.diagonal: l M4.4 19.6 L19.6 4.4
    """
