// What a slip costs the compiler where no line of ours is involved: `swiftc -typecheck Alone.swift`, and see what it
// says of `misspelt`. With each block around it the time is multiplied by the ways to understand what is written after
// the block, here `behind(Colour.red.faded(0.5))`: two of `behind`, two of `red`, two or three of `faded`. (0.6 s with
// the slip, 0.05 s without, most of it the start; each block more multiplies by eight.) `only(_:)` in the place of
// `behind(_:)`, which takes a value of no type parameter, costs nothing: what is given to it is understood by itself.
protocol Piece { associatedtype Body; var body: Body { get } }
protocol Style {}

@resultBuilder struct Block {
    static func buildExpression<P: Piece>(_ piece: P) -> P { piece }
    static func buildBlock<each P: Piece>(_ piece: repeat each P) -> Pieces<repeat each P> {
        Pieces(pieces: (repeat each piece))
    }
}
struct Pieces<each P: Piece>: Piece { let pieces: (repeat each P); var body: Int { 0 } }
struct Words: Piece { let words: String; var body: Int { 0 } }
struct Stack<P: Piece>: Piece {
    let piece: P; init(@Block piece: () -> P) { self.piece = piece() }; var body: Int { 0 }
}
struct Colour: Piece, Style {
    var body: Int { 0 }; static let red = Colour(); func faded(_ by: Double) -> Colour { self }
}
struct Both<A: Piece, B>: Piece { let a: A, b: B; var body: Int { 0 } }

extension Style where Self == Colour { static var red: Colour { Colour() } }
struct Faded: Style {}
extension Style { func faded(_ by: Double) -> some Style { Faded() } }
extension Piece {
    func faded(_ by: Double) -> some Piece { self }
    func behind<S: Style>(_ style: S) -> some Piece { Both(a: self, b: style) }
    @_disfavoredOverload func behind<P: Piece>(_ piece: P) -> some Piece { Both(a: self, b: piece) }
    func only(_ style: any Style) -> some Piece { Both(a: self, b: style) }
}

struct Page {
    @Block var body: some Piece {
        Stack {
            Stack {
                Stack {
                    Words(words: "a").misspelt(4)
                }
                .behind(Colour.red.faded(0.5))
            }
            .behind(Colour.red.faded(0.5))
        }
        .behind(Colour.red.faded(0.5))
    }
}
