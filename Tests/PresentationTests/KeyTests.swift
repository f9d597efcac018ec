import PlayerControls
import Testing

@testable import Presentation

@Suite("Keys")
struct KeyTests {
    @Test("keys map to their actions") @MainActor
    func keys() {
        #expect(KeyMap.window[PlayerKey(symbol: 0x20, shift: false, control: false)] == .playPause)
        #expect(KeyMap.window[PlayerKey(symbol: 0xff51, shift: false, control: false)] == .seek(-5))
        #expect(KeyMap.window[PlayerKey(symbol: 0xff53, shift: true, control: false)] == .seek(1))
        #expect(KeyMap.window[PlayerKey(symbol: 0xff53, shift: false, control: true)] == .seek(60))
        #expect(KeyMap.window[PlayerKey(symbol: 0x5b, shift: false, control: false)] == .speed(-1))
        #expect(KeyMap.window[PlayerKey(symbol: 0x5d, shift: false, control: false)] == .speed(1))
        #expect(KeyMap.window[PlayerKey(symbol: 0x2e, shift: false, control: false)] == .step(1))
        #expect(KeyMap.window[PlayerKey(symbol: 0x2c, shift: false, control: false)] == .step(-1))
        #expect(KeyMap.window[PlayerKey(symbol: 0x77, shift: false, control: false)] == nil)
        #expect(KeyMap.window[PlayerKey(symbol: 0x77, shift: false, control: true)] == .close)
    }

    @Test("a press of the key that is held is a repeat")
    func repeats() {
        var held = HeldKey()
        func press(_ codes: UInt32...) -> [Bool] { codes.map { held.press($0) } }
        #expect(press(65, 65, 65) == [false, true, true])
        held.release(65)
        // Only the key that was pressed last repeats, even if the release of another key was not reported.
        #expect(press(65, 38, 65) == [false, false, false])
        held.release(38)
        #expect(press(65) == [true])
        held.forget()
        #expect(press(65) == [false])
    }

    @Test(
        "a key of any script is the key of its character",
        arguments: [(0x6D6, "ж"), (0x7E1, "α"), (0x20AC, "€"), (0x100_0436, "ж"), (0xFC, "ü")]
            as [(UInt32, Unicode.Scalar)])
    func scripts(_ symbol: UInt32, _ character: Unicode.Scalar) {
        #expect(PlayerKey(symbol: symbol, state: 0) == PlayerKey(character))
        #expect(PlayerKey(symbol: symbol, state: 0)?.name == String(Character(character)))
    }
}
