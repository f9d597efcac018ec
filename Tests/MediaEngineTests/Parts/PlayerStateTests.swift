import MediaCore
import Testing

@testable import MediaEngine

@Suite("Parts of a player's state")
@MainActor
struct PlayerStateTests {
    @Test(
        "settings keep to their limits",
        arguments: [(0.5, 0.5, 0.5), (-1, 0, 0.01), (99, 1, 16), (Float.infinity, 1, 16), (.nan, 1, 1)]
            as [(
                Float, Float, Float
            )])
    func limits(_ wanted: Float, _ volume: Float, _ rate: Float) {
        var settings = PlayerSettings()
        settings.volume = wanted
        settings.defaultRate = wanted
        #expect(settings.volume == volume && settings.defaultRate == rate)
    }

    @Test("a crossfade is 0 to 12 seconds", arguments: [(3, 3), (-3, 0), (99, 12), (Double.nan, 0)])
    func crossfade(_ wanted: Double, _ set: Double) {
        var settings = PlayerSettings()
        settings.crossfadeDuration = wanted
        #expect(settings.crossfadeDuration == set)
    }

    @Test(
        "a rate is 0 or 0.01 to 16",
        arguments: [(0, 0), (-2, 0), (0.001, 0.01), (1, 1), (20, 16), (Float.nan, 0)] as [(Float, Float)])
    func rate(_ wanted: Float, _ rate: Float) { #expect(PlayerSettings.rate(wanted) == rate) }

    @Test("a muted player and one without volume are silent")
    func silent() {
        var settings = PlayerSettings()
        #expect(!settings.isSilent)
        settings.isMuted = true
        #expect(settings.isSilent)
        settings.isMuted = false
        settings.volume = 0
        #expect(settings.isSilent)
    }

    typealias Case = (
        rate: Float, item: AVPlayerItem.Status?, progress: TimeControl.Progress, status: AVPlayer.TimeControlStatus,
        reason: AVPlayer.WaitingReason?
    )
    @Test(
        "a player waits with a reason",
        arguments: [
            (0, .readyToPlay, .advancing, .paused, nil),
            (1, nil, .advancing, .waitingToPlayAtSpecifiedRate, .noItemToPlay),
            (1, .failed, .advancing, .waitingToPlayAtSpecifiedRate, .noItemToPlay),
            (1, .readyToPlay, .advancing, .playing, nil),
            (1, .unknown, .preparing, .waitingToPlayAtSpecifiedRate, .evaluatingBufferingRate),
            (2, .readyToPlay, .waitingForData, .waitingToPlayAtSpecifiedRate, .toMinimizeStalls),
        ] as [Case])
    func timeControl(_ c: Case) {
        let control = TimeControl(rate: c.rate, item: c.item, progress: c.progress)
        #expect(control.status == c.status && control.reason == c.reason)
    }

    @Test("a paused player does not read the pipeline")
    func lazy() {
        var looks = 0
        func progress() -> TimeControl.Progress {
            looks += 1
            return .advancing
        }
        let paused = TimeControl(rate: 0, item: .readyToPlay, progress: progress())
        #expect(paused == TimeControl() && looks == 0)
        let playing = TimeControl(rate: 1, item: .readyToPlay, progress: progress())
        #expect(playing.status == .playing && looks == 1)
    }

    @Test("an interruption resumes the rate unless a rate was set")
    func interruption() {
        var interruption = Interruption()
        interruption.begin(at: 2)
        // A second interruption begins while the first has paused the player.
        interruption.begin(at: 0)
        #expect(interruption.isActive && interruption.resumingRate == 2)
        interruption.end()
        #expect(!interruption.isActive)
        interruption.rateWasSet()
        #expect(interruption.resumingRate == nil)
        interruption.begin(at: 0)
        #expect(interruption.resumingRate == nil)
    }
}
