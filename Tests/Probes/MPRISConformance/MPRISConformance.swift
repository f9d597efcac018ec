import DesktopServices
import Foundation
import Presentation

/// Checks whether a player on the session bus conforms to MPRIS 2.2, and prints a table. The player should be playing a
/// list of at least two files, of which the first lasts at least a minute.
///
///     MPRISConformance                 prints the names of the players on the bus
///     MPRISConformance NAME            checks org.mpris.MediaPlayer2.NAME
///     MPRISConformance NAME --values   prints a line per question: its id, a tab, and yes, no or none
///     MPRISConformance NAME --texts    prints the same lines, with a tab and the text of the question
///
/// The exit code is 0 if the player meets every requirement, 1 if not, and 2 if there is no such player.
struct MPRISConformance {
    @MainActor static func main() {
        let arguments = Array(Probes.arguments.dropFirst())
        Task { @MainActor in
            let code = await run(arguments)
            fflush(nil)
            exit(code)
        }
        MainLoop.run()
    }

    @MainActor private static func run(_ arguments: [String]) async -> Int32 {
        guard let bus = await SessionBus.connect() else {
            print("There is no session bus (DBUS_SESSION_BUS_ADDRESS).")
            return 2
        }
        let names = await Player.names(on: bus)
        guard let wanted = arguments.first(where: { !$0.hasPrefix("-") }) else {
            print(names.isEmpty ? "There is no player on the bus." : names.joined(separator: "\n"))
            return names.isEmpty ? 2 : 0
        }
        guard let name = names.first(where: { $0 == wanted }) ?? names.first(where: { $0.hasPrefix(wanted + ".") })
        else {
            print(
                "There is no player \(wanted) on the bus\(names.isEmpty ? "" : ", but \(names.joined(separator: ", "))")."
            )
            return 2
        }
        let questions = await Questions(Player(name, on: bus)).ask()
        let hasTexts = arguments.contains("--texts")
        let isPlain = hasTexts || arguments.contains("--values")
        for question in questions {
            let word = question.isKept.map { $0 ? "yes" : "no" } ?? "none"
            print(
                isPlain
                    ? "\(question.id)\t\(word)" + (hasTexts ? "\t\(question.text)" : "")
                    : "\(word.padding(toLength: 5, withPad: " ", startingAt: 0)) \(question.text)\(question.note.isEmpty ? "" : " — \(question.note)")"
            )
        }
        let asked = questions.compactMap(\.isKept)
        if !isPlain { print("\(asked.count { $0 }) of \(asked.count) kept") }
        return asked.allSatisfy { $0 } ? 0 : 1
    }
}
