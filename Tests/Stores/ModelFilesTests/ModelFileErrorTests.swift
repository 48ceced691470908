import ModelFiles
import Testing

struct ModelFileErrorTests {
  @Test func `an unknown version is reported with the available versions`() {
    let error = ModelFileError(
      .unknownVersion("Model 4", suggestions: ["Model 2", "Model 3"]), subject: "App.momd")
    #expect(
      error.description == "App.momd has no version “Model 4” (available: Model 2, Model 3)")
  }
}
