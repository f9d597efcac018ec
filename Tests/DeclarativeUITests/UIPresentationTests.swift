import Foundation
import TestSupport
import Testing

@testable import DeclarativeUI

@MainActor @Suite("UIKit's presentation")
struct UIPresentationTests {
    @Test("a controller outside of a window presents nothing")
    func outside() {
        let (first, second) = (UIViewController(), UIViewController())
        first.present(second, animated: true)
        #expect(first.presentedViewController == nil && second.presentingViewController == nil)
        #expect(!second.isBeingPresented)
    }

    @Test("the description of a presentation follows its style")
    func descriptions() {
        let controller = UIViewController()
        controller.sheetPresentationController?.detents = [.medium(), .custom { _ in 120 }, .custom { _ in nil }]
        #expect(controller.sheetPresentationController?.heights(over: 600) == [.height(300), .height(120)])
        controller.sheetPresentationController?.selectedDetentIdentifier = .medium
        #expect(controller.sheetPresentationController?.heights(over: 600) == [.height(300)])
        controller.modalPresentationStyle = .popover
        #expect(controller.popoverPresentationController != nil && controller.sheetPresentationController == nil)
        controller.modalPresentationStyle = .fullScreen
        #expect(controller.presentationController?.presentationStyle == .fullScreen)
        #expect(controller.popoverPresentationController == nil)
    }

    @Test("show pushes in a navigation controller")
    func shows() {
        let navigation = UINavigationController(rootViewController: UIViewController())
        navigation.topViewController?.show(UIViewController(), sender: nil)
        #expect(navigation.viewControllers.count == 2)
    }

    @Test("the delegate of a text field allows or rejects each edit")
    func field() {
        final class Digits: UITextFieldDelegate {
            var edits: [String] = []
            func textField(
                _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
            ) -> Bool {
                edits.append("\(range.location),\(range.length),\(string)")
                return string.allSatisfy(\.isNumber)
            }
        }
        let digits = Digits()
        let field = UITextField()
        field.text = "1224"
        field.delegate = digits
        field.typed("12a24")
        field.typed("134")
        #expect(digits.edits == ["2,0,a", "1,2,3"] && field.text == "134")
    }

    @Test(
        "a text field's edit consists of whole Unicode scalars",
        arguments: [("😀", "😁😀", "0,0,😁"), ("a😀b", "a😁b", "1,2,😁"), ("😀😁", "😀", "2,2,")])
    func wholeScalars(old: String, new: String, edit: String) {
        final class Reader: UITextFieldDelegate {
            var edits: [String] = []
            func textField(
                _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
            ) -> Bool {
                edits.append("\(range.location),\(range.length),\(string)")
                return true
            }
        }
        let (field, reader) = (UITextField(), Reader())
        field.text = old
        field.delegate = reader
        field.typed(new)
        #expect(reader.edits == [edit] && field.text == new)
    }

    @Test("a button of a closed dialog does nothing")
    func secondPress() {
        final class Dialog {
            var isOpen = true, presses = 0
        }
        let dialog = Dialog(), buttons = DialogButtons()
        buttons.dismiss = { dialog.isOpen = false }
        buttons.isOpen = { dialog.isOpen }
        let press = buttons.button(nil) { dialog.presses += 1 }.action
        press()
        press()
        #expect(dialog.presses == 1)
    }

    @Test("Return does not press a disabled default button")
    func disabledDefault() {
        final class Form {
            var name: Binding<String>?
            var saves = 0, cancels = 0
        }
        // Only this view is evaluated again when the name changes.
        struct SaveButton: View {
            let form: Form
            @Binding var name: String
            var body: some View { Button("Save") { form.saves += 1 }.disabled(name.isEmpty) }
        }
        struct Question: View {
            let form: Form
            let buttons: DialogButtons
            @State private var name = ""
            var body: some View {
                let _ = form.name = $name
                DialogView(
                    title: Text("Name"), isStacked: false, hasTitle: true,
                    actions: AnyView(
                        Group {
                            SaveButton(form: form, name: $name)
                            Button("Cancel", role: .cancel) { form.cancels += 1 }
                        }), message: AnyView(EmptyView()), isEmpty: false, buttons: buttons)
            }
        }
        let form = Form(), buttons = DialogButtons()
        let stage = Stage { Question(form: form, buttons: buttons) }
        buttons.first?()
        buttons.cancel?()
        #expect(form.saves == 0 && form.cancels == 1)
        form.name?.wrappedValue = "film"
        stage.layOut()
        buttons.first?()
        #expect(form.saves == 1)
    }

    @Test("an alert has text fields, an action sheet has none")
    func alertFields() {
        let alert = UIAlertController(title: "Name", message: nil, preferredStyle: .alert)
        alert.addTextField { $0.text = "Film" }
        #expect(alert.textFields?.first?.text == "Film")
        let sheet = UIAlertController(title: "Name", message: nil, preferredStyle: .actionSheet)
        sheet.addTextField()
        #expect(sheet.textFields == nil)
    }
}

/// Tests of presented controllers on a screen.
@Suite("UIKit's presentation in a window", .serialized)
struct UIPresentationWindowTests {
    private func start() async throws -> ControlProbe {
        let probe = try await ControlProbe(["uikit-presentation"])
        #expect(try await probe.shows([255, 0, 0], "owner", 0.5))
        return probe
    }
    /// Waits for a window with a title and returns its identifier.
    private func window(_ title: String, of probe: ControlProbe, except other: String? = nil) async throws -> String {
        let found = try await until("the window \(title)") { [display = probe.display] in
            try display.window(title).flatMap { $0 == other ? nil : $0 }
        }
        return try #require(found)
    }

    @Test("a full-screen controller hides the others and closes by dismiss")
    func cover() async throws {
        let probe = try await start()
        try probe.key("c")
        try await probe.expect("presents=true")
        try await probe.expect("disappeared=Owner false")
        try await probe.expect("completed=cover")
        #expect(probe.said.contains("is-presented=true"))
        #expect(try await probe.shows([0, 0, 255], "owner", 0.5))
        try probe.key("d")
        try await probe.expect("appears=Owner false")
        #expect(try await probe.shows([255, 0, 0], "owner", 0.5))
        // Escape closes it too.
        try probe.key("c")
        try await probe.expect("completed=cover")
        #expect(try await probe.shows([0, 0, 255], "owner", 0.5))
        try probe.key("Escape")
        try await probe.expect("appears=Owner false")
        #expect(try await probe.shows([255, 0, 0], "owner", 0.5))
        #expect(probe.said.allSatisfy { !$0.contains("Refused") })
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("the delegate of a sheet keeps it open or lets it close")
    func sheet() async throws {
        let probe = try await start()
        try probe.key("s")
        try await probe.expect("appears=Sheet true")
        try await probe.expect("completed=sheet")
        let sheet = try await window("Sheet", of: probe)
        try probe.display.key("Escape", window: sheet)
        try await probe.expect("delegate=attempt")
        try probe.display.key("Escape", window: sheet)
        try await probe.expect("disappeared=Sheet true")
        try await probe.expect("delegate=dismissed")
        #expect(try await probe.comes { try probe.display.window("Sheet") == nil })
        #expect(!probe.said.contains { $0.hasPrefix("disappeared=Owner") })
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("Escape closes the upper one of two full-screen controllers first")
    func chain() async throws {
        let probe = try await start()
        try probe.key("n")
        try await probe.expect("completed=chain")
        #expect(try await probe.shows([255, 255, 0], "owner", 0.5))
        try probe.key("Escape")
        try await probe.expect("disappeared=Second true")
        try await probe.expect("appears=First false")
        #expect(try await probe.shows([0, 255, 0], "owner", 0.5, within: 90))
        try probe.key("Escape")
        try await probe.expect("appears=Owner false")
        #expect(try await probe.shows([255, 0, 0], "owner", 0.5))
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("the content below a clear controller stays visible")
    func clear() async throws {
        let probe = try await start()
        try probe.key("o")
        try await probe.expect("completed=over")
        #expect(try await probe.shows([255, 0, 0], "owner", 0.5))
        try probe.key("Escape")
        try await probe.expect("disappeared=Clear true")
        #expect(!probe.said.contains { $0.hasPrefix("disappeared=Owner") })
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }

    @Test("an alert's text field receives keys, and Return and Escape press buttons")
    func alert() async throws {
        let probe = try await start()
        try probe.key("a")
        let alert = try await window("Name", of: probe)
        try probe.display.xdotool(["windowfocus", "--sync", alert])
        _ = try await probe.comes("the text") {
            // The field may get the focus after the first keys.
            try probe.key("ctrl+a")
            try probe.type("Film")
            return Deadline(seconds: 10).poll { probe.said.contains("text=Film") ? true : nil } == true
        }
        try await probe.expect("text=Film")
        try probe.key("Return")
        try await probe.expect("answer=Film")
        try probe.display.key("a", in: "probe")
        let second = try await window("Name", of: probe, except: alert)
        try probe.display.key("Escape", window: second)
        try await probe.expect("answer=cancel")
        #expect(probe.complaints.isEmpty, "\(probe.complaints)")
    }
}
