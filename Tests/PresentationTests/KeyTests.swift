import Testing

@testable import Presentation

@Suite("Keys")
struct KeyTests {
    @Test("every key means what the help says") @MainActor
    func keys() {
        #expect(PlayerKeys.action(0x20, shift: false, control: false) == .playPause)
        #expect(PlayerKeys.action(0xff51, shift: false, control: false) == .seek(-5))
        #expect(PlayerKeys.action(0xff53, shift: true, control: false) == .seek(1))
        #expect(PlayerKeys.action(0xff53, shift: false, control: true) == .seek(60))
        #expect(PlayerKeys.action(0x5b, shift: false, control: false) == .speed(-1))
        #expect(PlayerKeys.action(0x5d, shift: false, control: false) == .speed(1))
        #expect(PlayerKeys.action(0x2e, shift: false, control: false) == .step(1))
        #expect(PlayerKeys.action(0x2c, shift: false, control: false) == .step(-1))
        #expect(PlayerKeys.action(0x77, shift: false, control: false) == nil)
        #expect(PlayerKeys.action(0x77, shift: false, control: true) == .close)
    }
}
