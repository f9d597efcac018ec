import PlayerControls
import Testing

@Suite("Times as text")
struct TimeTextTests {
    @Test(
        "a time shows hours from one hour on",
        arguments: [
            (0, "0:00"), (-3, "0:00"), (59.99, "0:59"), (60, "1:00"), (3599.9, "59:59"), (3600, "1:00:00"),
            (36_61, "1:01:01"), (1e300, "277777777:46:40"),
        ])
    func clock(_ seconds: Double, _ text: String) { #expect(TimeText.clock(seconds) == text) }

    @Test("a time that is not finite has its own text", arguments: [Double.nan, .infinity, -.infinity])
    func unknown(_ seconds: Double) {
        #expect(TimeText.clock(seconds) == "0:00" && TimeText.clock(seconds, unknown: "–") == "–")
        #expect(TimeText.milliseconds(seconds) == "0:00.000")
    }

    @Test("minutes can have two digits")
    func padded() {
        #expect(
            TimeText.clock(65, padsMinutes: true) == "01:05" && TimeText.clock(3665, padsMinutes: true) == "1:01:05")
    }

    @Test(
        "milliseconds are rounded, also into the next minute",
        arguments: [(0.0004, "0:00.000"), (1.0625, "0:01.063"), (59.9996, "1:00.000"), (3600.25, "1:00:00.250")])
    func milliseconds(_ seconds: Double, _ text: String) { #expect(TimeText.milliseconds(seconds) == text) }
}
